"""Contact: masks that let nothing meet, parameters that no contact can have, idle excludes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from phyzctl import codes
from phyzctl.issues import Finding, Related
from phyzctl.records import dataclass
from phyzctl.robot.checks.settings import flag, timestep
from phyzctl.robot.elements import Geom, JointKind, Surface
from phyzctl.robot.mechanism import Exclude
from phyzctl.robot.robot import Robot
from phyzctl.robot.subject import describe

Masks = tuple[int, int]  # contype and conaffinity

_MASK = 1  # MJCF's default for both masks


@dataclass(frozen=True)
class _Softness:
    """One statement of solver parameters: on which element, in which attributes."""

    element: Any
    suffix: str
    solref: Sequence[float] | None
    solimp: Sequence[float] | None


def nothing_collides(robot: Robot) -> Iterator[Finding]:
    """C910: something floats free in an MJCF file, and no two geoms may meet.

    A robot without a floor or anything else around it is put into a scene later, which may have
    masks of its own.
    """
    if robot.dialect != "mjcf" or robot.pairs or not robot.links:
        return
    if not robot.structure.root.geoms:
        return
    if not any(joint.kind is JointKind.FLOATING for joint in robot.joints):
        return
    found = merged(masks(geom) for link in robot.links for geom in link.geoms)
    if meet(found, found):
        return
    message = (
        "no two geoms can collide: contype and conaffinity have no bit in common anywhere, and "
        "something is free to fall"
    )
    yield Finding(robot, message)


def exclude_redundant(robot: Robot) -> Iterator[Finding]:
    """C921: an exclude of a pair that never collides, or that is excluded already."""
    groups = robot.structure.rigid_groups()
    group_of = {link.name: number for number, group in enumerate(groups) for link in group}
    heads = [group[0].name for group in groups]
    seen: dict[frozenset[str], Exclude] = {}
    for exclude in robot.excludes:
        pair = frozenset((exclude.first, exclude.second))
        first = seen.setdefault(pair, exclude)
        related: tuple[Related, ...] = ()
        if exclude.first == exclude.second:
            message = f"excludes {exclude.first!r} from colliding with itself, which it never does"
        elif first is not exclude:
            message = f"the pair {exclude.first!r}, {exclude.second!r} is excluded already"
            related = (Related("first excluded here", first.source),)
        elif group_of[exclude.first] == group_of[exclude.second]:
            message = (
                f"{exclude.first!r} and {exclude.second!r} are welded together, they never meet"
            )
        elif _is_filtered(robot, group_of, heads, exclude):
            message = f"{exclude.first!r} and {exclude.second!r} are parent and child, never tested"
        else:
            continue
        yield Finding(exclude, message, related=related)


def contact_parameter(robot: Robot) -> Iterator[Finding]:
    """C922: friction, margin or softness that no contact can have."""
    for element, friction, margin in _frictions(robot):
        if any(value < 0 for value in friction or ()):
            numbers = _listed(friction or ())
            yield Finding(element, f"friction {numbers} is negative", "friction", _word(element))
        if margin is not None and margin < 0:
            yield Finding(element, f"margin {margin:g} m is negative", "margin", _word(element))
    for softness in _softnesses(robot):
        yield from _judge_softness(softness)


def contact_stiff(robot: Robot) -> Iterator[Finding]:
    """C923: a contact or constraint that settles faster than time advances."""
    dt = timestep(robot)
    if not flag(robot, "refsafe", default=True) or not dt > 0.0:
        return
    for softness in _softnesses(robot):
        element, solref = softness.element, softness.solref
        if solref and 0.0 < solref[0] < 2.0 * dt * (1.0 - 1e-9):
            message = (
                f"time constant {solref[0]:g} s is less than two time steps of {dt:g} s; MuJoCo "
                f"takes {2.0 * dt:g}"
            )
            yield Finding(element, message, f"solref{softness.suffix}", _word(element))


def _judge_softness(softness: _Softness) -> Iterator[Finding]:
    element, solref, solimp = softness.element, softness.solref, softness.solimp
    if solref and len(solref) > 1 and (solref[0] > 0.0) != (solref[1] > 0.0):
        message = f"solref {_listed(solref)}: both numbers must be positive, or neither"
        yield Finding(element, message, f"solref{softness.suffix}", _word(element))
    if solimp and not _is_possible_solimp(solimp):
        message = (
            f"solimp {_listed(solimp)}: impedances and midpoint must lie in 0 to 1, the width "
            "must not be negative, the power at least 1"
        )
        yield Finding(element, message, f"solimp{softness.suffix}", _word(element))


def _is_possible_solimp(solimp: Sequence[float]) -> bool:
    d0, dw, width, midpoint, power = (*solimp, *(0.9, 0.95, 0.001, 0.5, 2.0)[len(solimp) :])
    shares = all(0.0 <= value <= 1.0 for value in (d0, dw, midpoint))
    return shares and width >= 0.0 and power >= 1.0


def _frictions(
    robot: Robot,
) -> Iterator[tuple[Any, Sequence[float] | None, float | None]]:
    for link in robot.links:
        for geom in link.geoms:
            if geom.surface is not None:
                yield geom, geom.surface.friction, geom.surface.margin
    for pair in robot.pairs:
        yield pair, pair.friction, pair.margin


def _softnesses(robot: Robot) -> Iterator[_Softness]:
    """Everything that states solver parameters, with the endings of its attributes."""
    for link in robot.links:
        for geom in link.geoms:
            if geom.surface is not None:
                yield _Softness(geom, "", geom.surface.solref, geom.surface.solimp)
    for pair in robot.pairs:
        yield _Softness(pair, "", pair.solref, pair.solimp)
        if any(pair.solreffriction or ()):
            yield _Softness(pair, "friction", pair.solreffriction, None)
    for equality in robot.equalities:
        yield _Softness(equality, "", equality.solref, equality.solimp)
    for joint in robot.joints:
        if joint.solver is not None:
            solver = joint.solver
            yield _Softness(joint, "limit", solver.solref_limit, solver.solimp_limit)
            yield _Softness(joint, "friction", solver.solref_friction, solver.solimp_friction)
    for tendon in robot.tendons:
        yield _Softness(tendon, "limit", tendon.solref_limit, tendon.solimp_limit)
        yield _Softness(tendon, "friction", tendon.solref_friction, tendon.solimp_friction)


def _word(element: Any) -> str | None:
    """What an element without a name is called."""
    return describe(element) or ("geom" if isinstance(element, Geom) else None)


def masks(geom: Geom) -> Masks:
    """A geom's contype and conaffinity."""
    surface = geom.surface or Surface()
    contype = _MASK if surface.contype is None else surface.contype
    conaffinity = _MASK if surface.conaffinity is None else surface.conaffinity
    return contype, conaffinity


def merged(several: Iterable[Masks]) -> Masks:
    """Masks that meet what any of several meet."""
    contype = conaffinity = 0
    for each in several:
        contype |= each[0]
        conaffinity |= each[1]
    return contype, conaffinity


def meet(a: Masks, b: Masks) -> bool:
    """True when two geoms with such masks are tested against each other."""
    return bool(a[0] & b[1] or b[0] & a[1])


def _is_filtered(
    robot: Robot, group_of: Mapping[str, int], heads: Sequence[str], exclude: Exclude
) -> bool:
    """True for parent and child through one joint; MuJoCo tests them where the parent is fixed."""
    if not flag(robot, "filterparent", default=True):
        return False
    first, second = group_of[exclude.first], group_of[exclude.second]
    if robot.dialect == "mjcf" and 0 in (first, second):
        return False
    ends = ((first, second), (second, first))
    return any(_parent_group(robot, group_of, heads[a]) == b for a, b in ends)


def _parent_group(robot: Robot, group_of: Mapping[str, int], head: str) -> int | None:
    parent = robot.structure.parent(head)
    return None if parent is None else group_of[parent.name]


def _listed(values: Sequence[float]) -> str:
    return " ".join(f"{value:g}" for value in values)


CHECKS = (
    (codes.NOTHING_COLLIDES, nothing_collides),
    (codes.EXCLUDE_REDUNDANT, exclude_redundant),
    (codes.CONTACT_PARAMETER, contact_parameter),
    (codes.CONTACT_STIFF, contact_stiff),
)
