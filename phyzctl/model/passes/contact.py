"""Contact: excluded bodies and explicit pairs of geoms, by index."""

from __future__ import annotations

from collections.abc import Iterable

from phyzctl.model.body import Pair, ordered
from phyzctl.robot.robot import Robot


def excluded_pairs(robot: Robot, bodies: dict[str, int]) -> tuple[Pair, ...]:
    """The excludes as ordered pairs of body indices, in authored order."""
    return tuple(
        ordered(bodies[exclude.first], bodies[exclude.second])
        for exclude in robot.excludes
        if exclude.first in bodies and exclude.second in bodies
    )


def explicit_pairs(robot: Robot, geom_names: Iterable[str | None]) -> tuple[Pair, ...]:
    """The explicit contact pairs as ordered pairs of geom indices, in authored order."""
    index = {name: number for number, name in enumerate(geom_names) if name}
    return tuple(
        ordered(index[pair.first], index[pair.second])
        for pair in robot.pairs
        if pair.first in index and pair.second in index
    )
