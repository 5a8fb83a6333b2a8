"""The configurations of a Model that sampling and proofs range over.

Each independent joint has variables in an interval: a hinge or slide its position, a ball joint
a rotation vector. What follows another joint (mimic, MJCF's joint equality) is a polynomial of
that one's variable. A hinge without limits, or with more than one turn of them, has one turn. A
free joint, a slide without limits, and what the caller calls passive stay where they are in the
reference pose.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from phyzctl import native
from phyzctl.model.constraint import Equality
from phyzctl.model.joint import Joint, JointType
from phyzctl.model.model import Model
from phyzctl.records import dataclass
from phyzctl.robot.mechanism import EqualityKind
from phyzctl.spatial import Array

HELD = -1
ITSELF = (0.0, 1.0)
_TURN = 2.0 * np.pi


@dataclass(frozen=True)
class Motion:
    """How one joint moves: its first variable, and the polynomial of it that is the position.

    `polynomial` are coefficients from the constant up; a constant alone, with variable `HELD`, for
    what is held there; none for a ball joint, which has three variables.
    """

    variable: int
    polynomial: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class Space:
    """A box of variables (nx,), `lower` to `upper`, and what they do to the joints of `model`.

    `motions` maps joints (indices) to motions; the others stand still. `open_ended` are those
    that could move without bound and are held.
    """

    model: Model
    lower: Array
    upper: Array
    motions: Mapping[int, Motion]
    open_ended: frozenset[int]
    balls: Mapping[int, float] = field(default_factory=dict)

    @property
    def dimensions(self) -> int:
        """The number of variables nx."""
        return len(self.lower)

    def draw(self, unit: Array) -> Array:
        """Points of the unit cube (n, nx) as variables: even in position, even in rotation."""
        x = unit * (self.upper - self.lower)
        x += self.lower
        for variable, angle in self.balls.items():
            columns = slice(variable, variable + 3)
            x[:, columns] = _rotations(unit[:, columns], angle)
        return x

    def points(self, points: range, *, seed: int = 0) -> Array:
        """The configurations q (n, nq) of those points of the sequence that `seed` chooses."""
        return self.positions(self.draw(native.halton(self.dimensions, points, seed=seed)))

    def positions(self, x: Array) -> Array:
        """The configurations q (n, nq) of variables (n, nx)."""
        q = np.repeat(self.model.arrays.q_reference[None], len(x), axis=0)
        for position, variable in zip(*self._plain, strict=True):
            q[:, position] = x[:, variable]
        for place, motion in self._others:
            if motion.variable == HELD:
                q[:, place] = motion.polynomial[0]
            elif not motion.polynomial:
                q[:, place] = _quaternions(x[:, motion.variable : motion.variable + 3])
            else:
                q[:, place.start] = _followed(x[:, motion.variable], motion.polynomial)
        return q

    @cached_property
    def _plain(self) -> tuple[list[int], list[int]]:
        """Where in q the variables stand that are positions themselves, and which they are."""
        found = [
            (int(self.model.q_offsets[joint]), motion.variable)
            for joint, motion in self.motions.items()
            if motion.polynomial == ITSELF
        ]
        return [place for place, _ in found], [variable for _, variable in found]

    @cached_property
    def _others(self) -> list[tuple[slice, Motion]]:
        """Where in q the joints stand that move otherwise, and how they do."""
        return [
            (self.model.q_slice(joint), motion)
            for joint, motion in self.motions.items()
            if motion.polynomial != ITSELF
        ]

    @cached_property
    def table(self) -> tuple[NDArray[np.int32], Array]:
        """Per joint its variable, and the polynomial of it (njoint, nterm), as the kernel asks."""
        count = len(self.model.joints)
        terms = max((len(motion.polynomial) for motion in self.motions.values()), default=0)
        variable = np.full(count, HELD, dtype=np.int32)
        polynomial = np.zeros((count, max(1, terms)))
        for joint, motion in self.motions.items():
            variable[joint] = motion.variable
            polynomial[joint, : len(motion.polynomial)] = motion.polynomial
        return variable, polynomial

    def variables(self, q: Array) -> Array:
        """The variables (nx,) of a configuration q (nq,) that has some."""
        x = 0.5 * (self.lower + self.upper)
        places, columns = self._plain
        x[columns] = q[places]
        for place, motion in self._others:
            if not motion.polynomial:
                x[motion.variable : motion.variable + 3] = rotation_vectors(q[None, place])[0]
        return x


def _followed(x: Array, coefficients: Sequence[float]) -> Array:
    """Values that may overflow: what is not finite then is told of wherever it is used."""
    with np.errstate(over="ignore", invalid="ignore"):
        value = np.zeros_like(x)
        for coefficient in reversed(coefficients):
            value = value * x + coefficient
    return value


def space_of(model: Model, *, passive: Collection[str] = (), inflate: bool = False) -> Space:
    """The configurations of `model` within its limits; joints named in `passive` are held.

    `inflate` widens every limit by 0.02 rad or 2 mm, as far as soft limits give.
    """
    maker = _Maker(model, frozenset(passive), inflate=inflate)
    for joint in range(len(model.joints)):
        maker.motion(joint)
    return maker.space()


class _Maker:
    def __init__(self, model: Model, passive: frozenset[str], *, inflate: bool) -> None:
        self.model = model
        self.passive = passive
        self.inflate = inflate
        self.leaders = _leaders(model)
        self.followed = {leader for leader, _ in self.leaders.values() if leader is not None}
        self.motions: dict[int, Motion | None] = {}
        self.lower: list[float] = []
        self.upper: list[float] = []
        self.open_ended: set[int] = set()
        self.balls: dict[int, float] = {}

    def space(self) -> Space:
        found = {joint: motion for joint, motion in self.motions.items() if motion is not None}
        lower, upper = np.array(self.lower), np.array(self.upper)
        return Space(self.model, lower, upper, found, frozenset(self.open_ended), self.balls)

    def motion(self, index: int) -> Motion | None:
        """How a joint moves, made on first use; None when it doesn't."""
        if index in self.motions:
            return self.motions[index]
        self.motions[index] = None  # ends a ring of followers
        self.motions[index] = self._made(index)
        return self.motions[index]

    def _made(self, index: int) -> Motion | None:
        joint = self.model.joints[index]
        if joint.name in self.passive or joint.type is JointType.FIXED:
            return None
        if index in self.leaders and joint.nq == 1:
            return self._following(index)
        if joint.type is JointType.BALL:
            return self._ball(joint)
        bounds = _bounds(joint)
        if bounds is None:
            self.open_ended.add(index)
            return None
        return Motion(self._variable(*self._one_turn(index, bounds)), ITSELF)

    def _following(self, index: int) -> Motion | None:
        leader, polynomial = self.leaders[index]
        led = None if leader is None else self.motion(leader)
        if led is not None and led.polynomial and led.variable != HELD:
            outer = np.polynomial.Polynomial(polynomial)
            inner = np.polynomial.Polynomial(led.polynomial)
            return Motion(led.variable, tuple(float(each) for each in outer(inner).coef))
        at_rest = 0.0
        if led is not None and led.polynomial:
            at_rest = led.polynomial[0]
        elif leader is not None:
            at_rest = float(self.model.arrays.q_reference[self.model.q_offsets[leader]])
            self.open_ended |= {index} if leader in self.open_ended else set()
        return Motion(HELD, (float(np.polynomial.polynomial.polyval(at_rest, polynomial)),))

    def _ball(self, joint: Joint) -> Motion:
        angle = min(joint.range[1], np.pi) if joint.range[1] > 0.0 else np.pi
        half = angle + 0.02 if self.inflate and angle < np.pi else angle
        first, *_ = [self._variable(-half, half) for _ in range(3)]
        self.balls[first] = angle
        return Motion(first)

    def _one_turn(self, index: int, bounds: tuple[float, float]) -> tuple[float, float]:
        joint = self.model.joints[index]
        slack = (0.02 if joint.type is JointType.HINGE else 0.002) if self.inflate else 0.0
        lower, upper = bounds[0] - slack, bounds[1] + slack
        whole = joint.type is JointType.HINGE and index not in self.followed
        if whole and upper - lower > _TURN:
            middle = 0.5 * (lower + upper)
            return middle - np.pi, middle + np.pi
        return lower, upper

    def _variable(self, lower: float, upper: float) -> int:
        self.lower.append(lower)
        self.upper.append(upper)
        return len(self.lower) - 1


def _bounds(joint: Joint) -> tuple[float, float] | None:
    """The interval of a hinge or slide; None for what could move without bound."""
    if joint.type is JointType.FREE:
        return None
    lower, upper = min(joint.range), max(joint.range)
    if np.isfinite(lower) and np.isfinite(upper):
        return lower, upper
    return (-np.pi, np.pi) if joint.type is JointType.HINGE else None


def _leaders(model: Model) -> dict[int, tuple[int | None, tuple[float, ...]]]:
    """Per follower its leader (None: it is held) and the polynomial of the leader's position."""
    found: dict[int, tuple[int | None, tuple[float, ...]]] = {}
    for equality in model.equalities:
        if equality.kind is EqualityKind.JOINT and equality.element.active:
            found.setdefault(equality.first, (equality.second, _polynomial(model, equality)))
    for index, joint in enumerate(model.joints):
        if joint.mimic is not None:
            found[index] = (joint.mimic.joint, (joint.mimic.offset, joint.mimic.multiplier))
    return {
        index: (leader, polynomial)
        for index, (leader, polynomial) in found.items()
        if index != leader and (leader is None or model.joints[leader].nq == 1)
    }


def _polynomial(model: Model, equality: Equality) -> tuple[float, ...]:
    """q_first - ref_first = p(q_second - ref_second), as MJCF says, solved for q_first."""
    written = equality.element.polynomial or ()
    written = (*written, *(0.0, 1.0)[len(written) :])
    first = model.joints[equality.first].ref
    if equality.second is None:
        return (first + written[0],)
    from_reference = np.polynomial.Polynomial((-model.joints[equality.second].ref, 1.0))
    value = np.polynomial.Polynomial(written)(from_reference) + first
    return tuple(float(each) for each in value.coef)


def _rotations(unit: Array, angle: float) -> Array:
    """Rotation vectors (n, 3): even over all rotations, or within `angle` [rad] of none.

    Shoemake (1992), Uniform random rotations.
    """
    if angle < np.pi:
        up = 2.0 * unit[:, 0] - 1.0
        across, around = np.sqrt(1.0 - up * up), _TURN * unit[:, 1]
        axis = np.stack([across * np.cos(around), across * np.sin(around), up], axis=1)
        return axis * (angle * np.cbrt(unit[:, 2:3]))
    r, s = np.sqrt(1.0 - unit[:, 0]), np.sqrt(unit[:, 0])
    a, b = _TURN * unit[:, 1], _TURN * unit[:, 2]
    q = np.stack([s * np.cos(b), r * np.sin(a), r * np.cos(a), s * np.sin(b)], axis=1)
    return rotation_vectors(q)


def rotation_vectors(quats: Array) -> Array:
    """Unit quaternions w x y z (n, 4) as rotation vectors (n, 3) of at most half a turn."""
    quats = quats * np.where(quats[:, :1] < 0.0, -1.0, 1.0)
    sine = np.linalg.norm(quats[:, 1:], axis=1, keepdims=True)
    turn = 2.0 * np.arctan2(sine, quats[:, :1])
    vectors: Array = quats[:, 1:] * (turn / np.maximum(sine, 1e-300))
    return vectors


def _quaternions(vectors: Array) -> Array:
    """Rotation vectors (n, 3) as quaternions w x y z (n, 4)."""
    half = 0.5 * np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.concatenate([np.cos(half), 0.5 * vectors * np.sinc(half / np.pi)], axis=1)
