"""Authored values to numbers: what could not be read (None) becomes neutral.

Each None has its Issue already; NaN stays NaN.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from phyzctl.geometry.shapes import Vec3
from phyzctl.model.joint import INFINITY, UNBOUNDED, Bounds
from phyzctl.robot.elements import Quat
from phyzctl.spatial import Array, identity, pose, quat_from_rpy

ORIGIN = (0.0, 0.0, 0.0)


class Posed(Protocol):
    """An element with a pose."""

    @property
    def xyz(self) -> Vec3 | None: ...  # noqa: D102
    @property
    def rpy(self) -> Vec3 | None: ...  # noqa: D102
    @property
    def quat(self) -> Quat | None: ...  # noqa: D102


def number(value: float | None, neutral: float = 0.0) -> float:
    """The value, or `neutral` when there is none."""
    return neutral if value is None else float(value)


def vector(value: Sequence[float] | None) -> Vec3:
    """Three numbers, zeros when there are none."""
    if value is None:
        return ORIGIN
    x, y, z = value
    return float(x), float(y), float(z)


def bounds(value: Bounds | None) -> Bounds:
    """A range, unbounded where nothing (or no number) is stated."""
    if value is None:
        return UNBOUNDED
    return lower_bound(value[0]), upper_bound(value[1])


def lower_bound(value: float | None) -> float:
    """The value, minus infinity when it is None or NaN."""
    return -INFINITY if value is None or math.isnan(value) else float(value)


def upper_bound(value: float | None) -> float:
    """The value, infinity when it is None or NaN."""
    return INFINITY if value is None or math.isnan(value) else float(value)


def unit(value: Sequence[float] | None) -> Vec3:
    """A direction of length one; z where there is none (which is an Issue: J211)."""
    x, y, z = vector(value)
    length = math.hypot(x, y, z)
    if length == 0.0 or not math.isfinite(length):
        return (0.0, 0.0, 1.0)
    return x / length, y / length, z / length


def pose_of(element: Posed) -> Array:
    """The read-only pose (4, 4) of an element in its parent's frame."""
    quat = _stated_quat(element)
    if quat is None and not any(element.xyz or ()) and not any(element.rpy or ()):
        return IDENTITY
    return frozen(pose(element.xyz, element.rpy, quat))


def quat_of(element: Posed) -> Array:
    """The read-only unit quaternion of an element's turn, with the sign that was written."""
    quat = _stated_quat(element)
    if quat is not None:
        array = np.array(quat, dtype=np.float64)
        return frozen(array / np.linalg.norm(array))
    return frozen(quat_from_rpy(vector(element.rpy))) if any(element.rpy or ()) else NO_TURN


def _stated_quat(element: Posed) -> Quat | None:
    """What is written as a quaternion, None when it has no direction."""
    return element.quat if element.quat is not None and any(element.quat) else None


def frozen(array: Array) -> Array:
    """The array, made read-only."""
    array.setflags(write=False)
    return array


def constant(values: Sequence[float]) -> Array:
    """A read-only float64 vector."""
    return frozen(np.array(values, dtype=np.float64))


IDENTITY = frozen(identity())
NO_TURN = constant((1.0, 0.0, 0.0, 0.0))
