"""Loops that equalities close: drawn configurations are moved until connects and welds hold.

A configuration out of the joints' box leaves loops open. The variables along a loop are then moved
by the least that closes it (Gauss-Newton with the least norm, steps of differences), within their
limits. Where that leads nowhere the loop can't be closed from there, and the configuration tells
nothing: its row becomes NaN, which meets nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from phyzctl import native
from phyzctl.exclude.space import Space, rotation_vectors
from phyzctl.model.constraints import constraint_arrays
from phyzctl.model.model import Model
from phyzctl.records import dataclass
from phyzctl.robot.mechanism import EqualityKind
from phyzctl.spatial import Array

CLOSED = 1e-5
"""How far a loop may gape [m]; turned by as much in radians over `_LEVER`."""

_LEVER = 0.1  # [m] that weighs turning against moving
_ROUNDS = 12
_STEP = 1e-6  # of differences
_DAMPING = 1e-9


@dataclass(frozen=True, eq=False)
class _Loop:
    """Two bodies (-1: the world), the pose of the place on each, and whether it is welded."""

    bodies: tuple[int, int]
    places: tuple[Array, Array]
    welded: bool


class Loops:
    """The active connects and welds of a space's model, and the variables that can close them."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._loops = tuple(_loops(space.model))
        self._moving = _variables(space, self._loops)

    def __len__(self) -> int:
        return len(self._loops)

    def hold(self, joints: Iterable[int]) -> bool:
        """True when a loop restrains some of these joints (indices)."""
        motions = (self._space.motions.get(joint) for joint in joints)
        return any(motion is not None and motion.variable in self._moving for motion in motions)

    def close(self, x: Array) -> Array:
        """The configurations q (n, nq) of variables (n, nx), loops closed; NaN where they can't."""
        x = x.copy()
        open_rows = np.arange(len(x))
        for _ in range(_ROUNDS):
            gaps = self._gaps(x[open_rows])
            gaping = ~(np.abs(gaps).max(axis=1) <= CLOSED)
            open_rows = open_rows[gaping]
            if not len(open_rows) or not len(self._moving):
                break
            x[open_rows] = self._nearer(x[open_rows], gaps[gaping])
        open_rows = open_rows[~(np.abs(self._gaps(x[open_rows])).max(axis=1) <= CLOSED)]
        q = self._space.positions(x)
        q[open_rows] = np.nan
        return q

    def _nearer(self, x: Array, gaps: Array) -> Array:
        """One step, cut off at the limits; a variable at its limit doesn't push against it."""
        slopes = np.stack([self._slope(x, which) for which in self._moving], axis=2)
        columns = self._moving
        lower, upper = self._space.lower[columns], self._space.upper[columns]
        push = -np.einsum("nmk,nm->nk", slopes, gaps)
        at = x[:, columns]
        stuck = ((at <= lower) & (push < 0.0)) | ((at >= upper) & (push > 0.0))
        slopes = np.where(stuck[:, None, :], 0.0, slopes)
        square = np.einsum("nmk,nlk->nml", slopes, slopes)
        square += _DAMPING * np.eye(square.shape[1])
        moved = -np.einsum("nmk,nm->nk", slopes, np.linalg.solve(square, gaps[..., None])[..., 0])
        x = x.copy()
        x[:, columns] = np.clip(at + np.clip(moved, -0.5, 0.5), lower, upper)
        return x

    def _slope(self, x: Array, which: int) -> Array:
        sides = []
        for step in (-_STEP, _STEP):
            moved = x.copy()
            moved[:, which] += step
            sides.append(self._gaps(moved))
        slope: Array = (sides[1] - sides[0]) / (2.0 * _STEP)
        return slope

    def _gaps(self, x: Array) -> Array:
        """How far the places of each loop are apart (n, 3 or 6 a loop) [m]."""
        bodies = native.kinematics(self._space.model.system, self._space.positions(x)).bodies
        if not self._loops:
            return np.zeros((len(x), 1))
        return np.concatenate([_gap(loop, bodies) for loop in self._loops], axis=1)


def _loops(model: Model) -> Iterator[_Loop]:
    arrays = constraint_arrays(model)
    rows = zip(model.equalities, arrays["equality_target"], arrays["equalities"], strict=False)
    for equality, (_, first, second), numbers in rows:
        if equality.element.active and equality.kind in (EqualityKind.CONNECT, EqualityKind.WELD):
            welded = equality.kind is EqualityKind.WELD
            yield _Loop((int(first), int(second)), (numbers[:7], numbers[7:14]), welded)


def _variables(space: Space, loops: tuple[_Loop, ...]) -> NDArray[np.int64]:
    """The variables of the joints on the way around each loop."""
    bodies = space.model.bodies
    found: set[int] = set()
    for loop in loops:
        first, second = (set(_ancestors(space.model, body)) for body in loop.bodies)
        joints = [joint for body in first ^ second for joint in bodies[body].joints]
        for motion in (space.motions[joint] for joint in joints if joint in space.motions):
            width = 1 if motion.polynomial else 3
            found |= set(range(motion.variable, motion.variable + width)) - {-1}
    return np.array(sorted(found), dtype=np.int64)


def _ancestors(model: Model, body: int) -> Iterator[int]:
    while body >= 0:
        yield body
        body = model.bodies[body].parent


def _gap(loop: _Loop, bodies: Array) -> Array:
    (p, first), (o, second) = (
        _placed(body, place, bodies) for body, place in zip(loop.bodies, loop.places, strict=True)
    )
    if not loop.welded:
        return p - o
    turned = _product(second * [1.0, -1.0, -1.0, -1.0], first)
    return np.concatenate([p - o, _LEVER * rotation_vectors(turned)], axis=1)


def _placed(body: int, place: Array, bodies: Array) -> tuple[Array, Array]:
    """Position (n, 3) and quaternion (n, 4) in the world of a place on a body."""
    if body < 0:
        return np.tile(place[:3], (len(bodies), 1)), np.tile(place[3:], (len(bodies), 1))
    p, quaternion = bodies[:, body, :3], bodies[:, body, 3:]
    axis, offset = quaternion[:, 1:], np.broadcast_to(place[:3], p.shape)
    twice = 2.0 * np.cross(axis, offset)
    turned = offset + quaternion[:, :1] * twice + np.cross(axis, twice)
    return p + turned, _product(quaternion, np.broadcast_to(place[3:], quaternion.shape))


def _product(a: Array, b: Array) -> Array:
    """Products of quaternions w x y z (n, 4)."""
    scalar = a[:, :1] * b[:, :1] - np.sum(a[:, 1:] * b[:, 1:], axis=1, keepdims=True)
    vector = a[:, :1] * b[:, 1:] + b[:, :1] * a[:, 1:] + np.cross(a[:, 1:], b[:, 1:])
    return np.concatenate([scalar, vector], axis=1)
