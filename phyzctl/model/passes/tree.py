"""The tree: which links are bodies, in which order, and by which joints they move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal

from phyzctl import codes
from phyzctl.errors import PhyzctlError
from phyzctl.geometry.shapes import Vec3
from phyzctl.issues import Issues
from phyzctl.model.body import WORLD
from phyzctl.model.joint import UNBOUNDED, Bounds, Joint, JointType, Mimic
from phyzctl.model.passes.values import (
    IDENTITY,
    NO_TURN,
    frozen,
    lower_bound,
    number,
    pose_of,
    quat_of,
    unit,
    upper_bound,
    vector,
)
from phyzctl.records import dataclass
from phyzctl.robot import elements
from phyzctl.robot.elements import JointKind
from phyzctl.robot.robot import WORLD_LINK, Robot
from phyzctl.robot.subject import describe
from phyzctl.spatial import (
    Array,
    inverse,
    quat_from_zaxis,
    quat_multiply,
    rotation_from_quat,
)

Base = Literal["fixed", "floating"]
BaseChoice = Literal["auto", "fixed", "floating"]

_TYPES = {
    JointKind.FIXED: JointType.FIXED,
    JointKind.REVOLUTE: JointType.HINGE,
    JointKind.CONTINUOUS: JointType.HINGE,
    JointKind.PRISMATIC: JointType.SLIDE,
    JointKind.FLOATING: JointType.FREE,
    JointKind.SPHERICAL: JointType.BALL,
}


@dataclass(frozen=True, eq=False)
class Limb:
    """A link on its way to a body: where it hangs, and by which joints."""

    link: elements.Link
    parent: int
    joints: tuple[int, ...]
    X_PB: Array
    quat: Array


@dataclass(frozen=True)
class Tree:
    """Limbs and joints in topological order; `world` is the link that stands for the world."""

    base: Base
    world: elements.Link | None
    limbs: tuple[Limb, ...]
    joints: tuple[Joint, ...]
    bodies: dict[str, int]


def build_tree(robot: Robot, base: BaseChoice, issues: Issues) -> Tree:
    """Number links and joints depth first, parents first, siblings as authored."""
    links = tuple(robot)
    world = links[0] if links and links[0].name == WORLD_LINK else None
    chosen = _choose_base(links, base)
    bodies: dict[str, int] = {WORLD_LINK: WORLD} if world else {}
    limbs: list[Limb] = []
    joints: list[Joint] = []
    for link in links[1:] if world else links:
        body = bodies[link.name] = len(limbs)
        inbound = robot.structure.inbound(link.name)
        if inbound:
            series = _series(inbound, body, robot, issues)
            X_PB, quat = _placement(inbound)
            parent = bodies[inbound[0].parent]
        else:
            series, parent = [_base_joint(robot, link, chosen)], WORLD
            X_PB, quat = IDENTITY, NO_TURN
        numbers = tuple(range(len(joints), len(joints) + len(series)))
        joints += series
        limbs.append(Limb(link, parent, numbers, X_PB, quat))
    return Tree(chosen, world, tuple(limbs), _with_mimics(joints), bodies)


def _choose_base(links: Sequence[elements.Link], base: BaseChoice) -> Base:
    if base not in ("auto", "fixed", "floating"):
        raise PhyzctlError(f"base {base!r} is not known; choose auto, fixed or floating")
    root = links[0] if links else None
    grounded = root is None or root.name == WORLD_LINK
    if base == "floating" and grounded:
        raise PhyzctlError("base 'floating': the root link is the world; choose auto or fixed")
    if base != "auto":
        return base
    mass = root.inertial.mass if root is not None and root.inertial is not None else None
    return "fixed" if grounded or not mass else "floating"


def _base_joint(robot: Robot, root: elements.Link, base: Base) -> Joint:
    """The joint between the world and a root link, under a name that nothing has."""
    name = f"{root.name}_base"
    while robot.structure.has_joint(name):
        name += "_"
    return Joint(name, JointType.FREE if base == "floating" else JointType.FIXED, 0)


def _series(
    inbound: Sequence[elements.Joint], body: int, robot: Robot, issues: Issues
) -> list[Joint]:
    """The joints between a body and its parent.

    Axes and anchors are stated in the frame of each joint. The body's own frame is that of the
    last, so the poses of later joints (none, as a rule) carry the earlier ones' frames.
    """
    frames = [None] * len(inbound) if len(inbound) == 1 else _frames_in_body(inbound)
    return [
        part
        for joint, frame in zip(inbound, frames, strict=True)
        for part in _parts(joint, body, robot, issues, frame=frame)
    ]


def _placement(inbound: Sequence[elements.Joint]) -> tuple[Array, Array]:
    """The body's pose (4, 4) and quaternion in its parent at the reference position."""
    X_PB, quat = pose_of(inbound[0]), quat_of(inbound[0])
    for joint in inbound[1:]:
        if not _placed_at_zero(joint):
            X_PB = frozen(X_PB @ pose_of(joint))
            quat = frozen(quat_multiply(quat, quat_of(joint)))
    return X_PB, quat


def _frames_in_body(inbound: Sequence[elements.Joint]) -> list[Array | None]:
    """Per joint, its frame in the body's at the reference pose; None for the body's own."""
    frames: list[Array | None] = []
    X_BJ: Array | None = None
    for joint in reversed(inbound):
        frames.append(X_BJ)
        if not _placed_at_zero(joint):
            X_BJ = inverse(pose_of(joint)) if X_BJ is None else X_BJ @ inverse(pose_of(joint))
    return frames[::-1]


def _placed_at_zero(joint: elements.Joint) -> bool:
    return joint.quat is None and not any(joint.xyz or ()) and not any(joint.rpy or ())


def _parts(
    joint: elements.Joint, body: int, robot: Robot, issues: Issues, *, frame: Array | None
) -> Iterator[Joint]:
    """What an authored joint compiles to: one joint, or three for a planar one."""
    axis, anchor = unit(joint.axis), vector(joint.anchor)
    if frame is not None:
        axis = vector((frame[:3, :3] @ axis).tolist())
        anchor = vector((frame[:3, :3] @ anchor + frame[:3, 3]).tolist())
    passive = joint.dynamics or elements.Dynamics()
    type_ = _TYPES.get(joint.kind, JointType.HINGE)
    compiled = Joint(
        joint.name,
        type_,
        body,
        axis,
        anchor,
        ref=number(joint.ref) if type_ in (JointType.HINGE, JointType.SLIDE) else 0.0,
        range=_range(joint, robot),
        force_range=_force_range(joint),
        velocity=upper_bound(joint.limit.velocity),
        damping=number(passive.damping),
        friction=number(passive.friction),
        armature=number(passive.armature),
        stiffness=number(passive.stiffness),
        springref=number(passive.springref),
        gravcomp=joint.actuator_gravcomp,
        element=joint,
    )
    yield from _planar(compiled, issues) if joint.kind is JointKind.PLANAR else (compiled,)


def _planar(turn: Joint, issues: Issues) -> Iterator[Joint]:
    """Two slides in the plane whose normal is the axis, then the turn, which keeps the name."""
    element = turn.element
    if element is not None and element.limit.stated:
        message = "a planar joint moves three ways, so its limits have no meaning and are not used"
        subject = describe(element)
        issues.add(codes.UNSUPPORTED, message, source=element.source, subject=subject)
    turn = replace(turn, range=UNBOUNDED, force_range=UNBOUNDED, velocity=float("inf"))
    R = rotation_from_quat(quat_from_zaxis(turn.axis))
    for column, letter in enumerate("xy"):
        axis: Vec3 = vector(R[:, column].tolist())
        yield replace(turn, name=f"{turn.name}_{letter}", type=JointType.SLIDE, axis=axis)
    yield turn


def _range(joint: elements.Joint, robot: Robot) -> Bounds:
    """MJCF bounds what it states; elsewhere a revolute or prismatic joint is always bounded."""
    if joint.kind in (JointKind.CONTINUOUS, JointKind.FIXED):
        return UNBOUNDED
    limit = joint.limit if robot.dialect == "mjcf" else joint.limit.resolved(joint.kind)
    return lower_bound(limit.lower), upper_bound(limit.upper)


def _force_range(joint: elements.Joint) -> Bounds:
    if joint.actuator_force_range is not None:
        low, high = joint.actuator_force_range
        return lower_bound(low), upper_bound(high)
    effort = upper_bound(joint.limit.effort)
    return -abs(effort), abs(effort)


def _with_mimics(joints: Iterable[Joint]) -> tuple[Joint, ...]:
    """Resolve whom joints follow. What follows nothing known stays free (J220)."""
    listed = tuple(joints)
    index = {joint.name: number_ for number_, joint in enumerate(listed)}
    resolved = []
    for joint in listed:
        mimic = joint.element.mimic if joint.element else None
        leader = index.get(mimic.joint) if mimic else None
        if mimic is not None and leader is not None and joint.nv == 1:
            multiplier, offset = number(mimic.multiplier, 1.0), number(mimic.offset)
            resolved.append(replace(joint, mimic=Mimic(leader, multiplier, offset)))
        else:
            resolved.append(joint)
    return tuple(resolved)
