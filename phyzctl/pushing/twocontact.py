"""Two contacts at once: every consistent motion, the least of them, and its forces.

Lengths are scaled by c, so that a motion u = (vx, vy, c omega) is the sum of the forces' wrenches
and |u|^2 the power. A pusher's force lies between the two edges of its friction cone, hence is a
sum of those. Any motion that forces explain is explained, too, by some linearly independent edges
(Caratheodory), at most three: so the search goes over those few, whatever sticks, slides, is lost
or is stated twice, and for each asks what its contacts must do:

* an edge alone: the pusher's normal speed, and slip towards that edge;
* both edges: the pusher's velocity;
* no edge: a gap that does not close.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from phyzctl.pushing.command import NORMALS, ContactMode, PusherCommand
from phyzctl.pushing.contact import Surface
from phyzctl.pushing.leastnorm import (
    LEVEL,
    Vector,
    added,
    dot,
    least_multiple,
    least_weights,
    scaled,
    solve,
)
from phyzctl.pushing.plane import AT_REST, Twist
from phyzctl.records import dataclass

_UP, _DOWN = 1, -1


@dataclass(frozen=True)
class _Pusher:
    """A contact in scaled lengths: rows of normal and tangential speed, the speeds commanded."""

    normal: Vector
    tangent: Vector
    push: float
    slip: float

    def edge(self, friction: float, way: int) -> Vector:
        """The wrench of a unit of force on one edge of the friction cone."""
        return added(self.normal, scaled(way * friction, self.tangent))


Edge = tuple[int, int]  # the contact's index and _UP or _DOWN


@dataclass(frozen=True)
class Motion:
    """What two pushers do to the slider.

    `ambiguous` says that other motions are consistent as well, of no less power.
    """

    twist: Twist
    modes: tuple[ContactMode, ContactMode]
    ambiguous: bool = False


_WAYS = {
    ContactMode.STICK: (_UP, _DOWN),
    ContactMode.SLIDE_UP: (_UP,),
    ContactMode.SLIDE_DOWN: (_DOWN,),
}

Forces = tuple[tuple[float, float], tuple[float, float]]

JAMMED = Motion(AT_REST, (ContactMode.JAMMED, ContactMode.JAMMED))


def two_contact_motion(surface: Surface, first: PusherCommand, second: PusherCommand) -> Motion:
    """The motion under two pushers: of all that are consistent the one of least power.

    Push speeds count with their sign. The order of the contacts makes no difference.
    """
    swapped = _key(second) < _key(first)
    commands = (second, first) if swapped else (first, second)
    motion = _motion(surface, [_pusher(surface, command) for command in commands])
    return replace(motion, modes=motion.modes[::-1]) if swapped else motion


def two_contact_forces(
    surface: Surface, motion: Motion, first: PusherCommand, second: PusherCommand
) -> Forces:
    """(normal, tangential) of each contact [m/s] in a motion, of least norm where several do."""
    chosen = [
        (index, way) for index, mode in enumerate(motion.modes) for way in _WAYS.get(mode, ())
    ]
    mu, pushers = surface.friction, [_pusher(surface, each) for each in (first, second)]
    wrenches = [pushers[index].edge(mu, way) for index, way in chosen]
    products = [[(1.0 + a * b * mu * mu) * (i == j) for j, b in chosen] for i, a in chosen]
    twist = motion.twist
    u = (twist.vx, twist.vy, surface.char_len * twist.omega)
    forces = [[0.0, 0.0], [0.0, 0.0]]
    for (index, way), weight in zip(chosen, least_weights(wrenches, u, products), strict=True):
        forces[index][0] += weight
        forces[index][1] += way * mu * weight
    return (forces[0][0], forces[0][1]), (forces[1][0], forces[1][1])


def _key(command: PusherCommand) -> tuple[float, ...]:
    return command.face, command.contact, command.push_speed, command.tangent_speed


def _pusher(surface: Surface, command: PusherCommand) -> _Pusher:
    nx, ny = NORMALS[int(command.face)]
    bound, length = surface.half_extent, surface.char_len
    offset = min(max(command.contact, -bound), bound)
    return _Pusher(
        (nx, ny, -offset / length),
        (-ny, nx, -bound / length),
        command.push_speed,
        command.tangent_speed,
    )


class _Found(NamedTuple):
    """A consistent motion, the edges that explain it, whether it is the least of a family."""

    u: Vector
    edges: Sequence[Edge]
    of_family: bool


def _motion(surface: Surface, pushers: list[_Pusher]) -> Motion:
    speed = max(max(abs(each.push), abs(each.slip)) for each in pushers)
    if speed == 0.0:
        return Motion(AT_REST, (ContactMode.STICK, ContactMode.STICK))
    level = LEVEL * speed
    found = list(_consistent(pushers, surface.friction, level))
    if not found:
        return JAMMED
    near = min(math.hypot(*each.u) for each in found) + level
    same = [each for each in found if math.hypot(*each.u) <= near]
    least = min(same, key=lambda each: each.of_family)  # the first of them, exact if there is one
    u = least.u
    far = max(math.dist(u, other.u) for other in found)
    return Motion(
        Twist(u[0], u[1], u[2] / surface.char_len),
        (_mode(pushers, 0, least, level), _mode(pushers, 1, least, level)),
        ambiguous=far > 1e3 * level or any(each.of_family for each in found),
    )


def _consistent(pushers: list[_Pusher], friction: float, level: float) -> Iterator[_Found]:
    """Every consistent motion; one that several choices of edges explain comes several times."""
    edges: list[Edge] = [(0, _UP), (0, _DOWN), (1, _UP), (1, _DOWN)]
    for count in range(4):
        for chosen in itertools.combinations(edges, count):
            yield from _explained(pushers, friction, chosen, level)


def _explained(
    pushers: list[_Pusher], friction: float, chosen: Sequence[Edge], level: float
) -> Iterator[_Found]:
    """The motion that forces on the chosen edges explain, unless a contact objects to it."""
    wrenches = [pushers[index].edge(friction, way) for index, way in chosen]
    rows, speeds, bounds = _demands(pushers, chosen)
    matrix = [[dot(row, wrench) for wrench in wrenches] for row in rows]
    solution = solve(matrix, speeds, level)
    if solution is None:
        return
    weights, free = solution
    u = _combined(wrenches, weights)
    if free is None:
        if min(weights, default=0.0) >= -level and _within(bounds, u, level):
            yield _Found(u, chosen, of_family=False)
        return
    way = _combined(wrenches, free)
    limits = [(-weight, -slope) for weight, slope in zip(weights, free, strict=True)]
    limits += [(dot(row, u) - bound, dot(row, way)) for row, bound in bounds]
    multiple = least_multiple(u, way, limits, level)
    if multiple is not None:
        least = added(u, scaled(multiple.value, way))
        yield _Found(least, chosen, multiple.several)


def _demands(
    pushers: list[_Pusher], chosen: Sequence[Edge]
) -> tuple[list[Vector], list[float], list[tuple[Vector, float]]]:
    """What contacts on the chosen edges ask of u: rows, their values; rows, their upper bounds."""
    rows: list[Vector] = []
    speeds: list[float] = []
    bounds: list[tuple[Vector, float]] = []
    for index, each in enumerate(pushers):
        ways = [way for at, way in chosen if at == index]
        if not ways:
            bounds.append((scaled(-1.0, each.normal), -each.push))
            continue
        rows.append(each.normal)
        speeds.append(each.push)
        if len(ways) == 2:
            rows.append(each.tangent)
            speeds.append(each.slip)
        else:
            bounds.append((scaled(ways[0], each.tangent), ways[0] * each.slip))
    return rows, speeds, bounds


def _within(bounds: list[tuple[Vector, float]], u: Vector, level: float) -> bool:
    return all(dot(row, u) <= bound + level for row, bound in bounds)


def _combined(vectors: Sequence[Vector], weights: Sequence[float]) -> Vector:
    total: Vector = (0.0, 0.0, 0.0)
    for weight, vector in zip(weights, vectors, strict=True):
        total = added(total, scaled(weight, vector))
    return total


def _mode(pushers: list[_Pusher], index: int, found: _Found, level: float) -> ContactMode:
    """What a contact is seen to do: open, stick, or let the pusher slip one way or the other.

    One that bears force is closed, whatever rounding makes of its gap: beside a jam, forces are
    so great that their sum is not exact.
    """
    pusher = pushers[index]
    bears = any(at == index for at, _ in found.edges)
    if not bears and dot(pusher.normal, found.u) - pusher.push > level:
        return ContactMode.SEPARATED
    slip = pusher.slip - dot(pusher.tangent, found.u)
    if abs(slip) <= level:
        return ContactMode.STICK
    return ContactMode.SLIDE_UP if slip > 0.0 else ContactMode.SLIDE_DOWN
