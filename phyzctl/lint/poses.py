"""Poses and boxes in plain Python: a check that places a dozen shapes needn't load numpy."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from phyzctl.geometry.shapes import Vec3
from phyzctl.records import dataclass

Rows = tuple[Vec3, Vec3, Vec3]

_UNTURNED: Rows = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True)
class Pose:
    """A frame in another: its origin [m] and the rows of its rotation."""

    xyz: Vec3 = (0.0, 0.0, 0.0)
    rows: Rows = _UNTURNED

    def point(self, p: Vec3) -> Vec3:
        """A point of the frame, seen from the other."""
        x, y, z = (_dot(row, p) for row in self.rows)
        return x + self.xyz[0], y + self.xyz[1], z + self.xyz[2]

    def __matmul__(self, inner: Pose) -> Pose:
        """The pose of a frame that `inner` places in this one."""
        x, y, z = transposed(inner.rows)
        a, b, c = ((_dot(row, x), _dot(row, y), _dot(row, z)) for row in self.rows)
        return Pose(self.point(inner.xyz), (a, b, c))


@dataclass(frozen=True)
class Box:
    """A box along the axes of its frame, between its lowest and its highest corner [m]."""

    low: Vec3
    high: Vec3

    @property
    def sides(self) -> Vec3:
        """Its extents [m] along x, y, z."""
        x, y, z = (b - a for a, b in zip(self.low, self.high, strict=True))
        return x, y, z

    @property
    def diagonal(self) -> float:
        """The distance [m] between opposite corners."""
        return math.hypot(*self.sides)

    @property
    def gyration(self) -> float:
        """The largest radius of gyration [m] of a solid that fills it."""
        _, middle, longest = sorted(self.sides)
        return math.sqrt((middle * middle + longest * longest) / 12.0)

    def distance(self, p: Vec3) -> float:
        """How far [m] a point is outside."""
        return math.hypot(
            *(max(a - x, x - b, 0.0) for a, x, b in zip(self.low, p, self.high, strict=True))
        )

    def seen_from(self, X: Pose) -> Box:
        """The box around this one in the frame in which `X` places its frame."""
        centre = X.point(_vec3(0.5 * (a + b) for a, b in zip(self.low, self.high, strict=True)))
        half = tuple(0.5 * side for side in self.sides)
        reach = [sum(abs(r) * h for r, h in zip(row, half, strict=True)) for row in X.rows]
        return Box(
            _vec3(c - r for c, r in zip(centre, reach, strict=True)),
            _vec3(c + r for c, r in zip(centre, reach, strict=True)),
        )


def around(boxes: Iterable[Box]) -> Box | None:
    """The box around all of them, None for none."""
    each = list(boxes)
    if not each:
        return None
    low = _vec3(map(min, zip(*(box.low for box in each), strict=True)))
    high = _vec3(map(max, zip(*(box.high for box in each), strict=True)))
    return Box(low, high)


def pose_of(element: Any) -> Pose | None:
    """The pose that an element's `xyz`, `rpy` and `quat` state; None when one can't be read."""
    if element.xyz is None or not all(map(math.isfinite, element.xyz)):
        return None
    rows = _rows(element.quat, element.rpy)
    return None if rows is None else Pose(element.xyz, rows)


def from_quat(quat: tuple[float, float, float, float]) -> Rows | None:
    """The rotation of a quaternion w x y z of any length but zero."""
    length = math.hypot(*quat)
    if length == 0.0 or not math.isfinite(length):
        return None
    w, x, y, z = (part / length for part in quat)
    return (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
        (2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)),
        (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)),
    )


def transposed(rows: Rows) -> Rows:
    """The inverse of a rotation."""
    (a, b, c), (d, e, f), (g, h, i) = rows
    return (a, d, g), (b, e, h), (c, f, i)


def _rows(quat: tuple[float, float, float, float] | None, rpy: Vec3 | None) -> Rows | None:
    if quat is not None:
        return from_quat(quat)
    if rpy is None or not all(map(math.isfinite, rpy)):
        return None
    (sr, cr), (sp, cp), (sy, cy) = ((math.sin(angle), math.cos(angle)) for angle in rpy)
    return (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )


def _dot(a: Vec3, b: Vec3) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _vec3(values: Iterable[float]) -> Vec3:
    x, y, z = values
    return x, y, z
