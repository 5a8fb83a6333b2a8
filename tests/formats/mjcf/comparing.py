"""What comparisons with MuJoCo share: each yields a sentence about what differs, or nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from phyzctl import spatial

Differences = Iterator[str]


def filled(values: Sequence[float] | None, otherwise: Sequence[float]) -> Sequence[float]:
    """A list that is shorter than its default, filled up from that."""
    values = tuple(values or ())
    return values + tuple(otherwise[len(values) :])


def padded(values: Sequence[float], count: int) -> Any:
    """A list filled up with zeros."""
    found = np.zeros(count)
    found[: min(count, len(values))] = values[:count]
    return found


def same(what: str, mine: object, theirs: object) -> Differences:
    """Two things are equal."""
    if mine != theirs:
        yield f"{what} is {mine}, not {theirs}"


def close(what: str, mine: Any, theirs: Any) -> Differences:
    """Two lists of numbers are equal, but for rounding."""
    if not np.allclose(mine, theirs, rtol=1e-12, atol=1e-14):
        yield f"{what} is {mine}, not {theirs}"


def same_turn(what: str, mine: Sequence[float] | None, theirs: Any) -> Differences:
    """Two quaternions of opposite sign are one rotation."""
    turned = spatial.rotation_from_quat(mine or (1.0, 0.0, 0.0, 0.0))
    if not np.allclose(turned, spatial.rotation_from_quat(theirs), rtol=0, atol=1e-12):
        yield f"{what} is {mine}, not {theirs}"
