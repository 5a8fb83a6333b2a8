"""The tree as URDF can say it: one joint a link, whose frame is that of the link it moves.

A body that several joints move, or whose joint turns about a point away from its origin, needs
other frames: joint k stands at its anchor a_k, massless links lie between, and the last frame,
which becomes that of the link, is the body's moved by a_n. With X_PB the pose of the body at the
reference r, and J_k the motion of joint k, the origins are X_PB T(a_1) J_1(-r_1), and then
T(a_k - a_(k-1)) J_k(-r_k). Orientations stay, so whatever hangs on the link only moves by -a_n.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from phyzctl.geometry.shapes import Vec3
from phyzctl.model import joint as model_joint
from phyzctl.model.body import Body
from phyzctl.model.joint import JointType
from phyzctl.model.model import Model
from phyzctl.records import dataclass
from phyzctl.robot import elements
from phyzctl.robot.elements import Joint, JointKind, Link
from phyzctl.spatial import Array, pose, rotation_from_axis_angle, rpy_from_rotation

ORIGIN: Vec3 = (0.0, 0.0, 0.0)
_TURNING = (JointType.HINGE, JointType.BALL)
_BALL: tuple[tuple[str, Vec3], ...] = (
    ("x", (1.0, 0.0, 0.0)),
    ("y", (0.0, 1.0, 0.0)),
    ("z", (0.0, 0.0, 1.0)),
)


@dataclass(frozen=True)
class Step:
    """One joint of URDF. `element` is what was authored, `whole` False for a part of it."""

    name: str
    kind: JointKind
    parent: str
    child: str
    xyz: Vec3
    rpy: Vec3
    axis: Vec3 | None
    element: Joint
    whole: bool = True


@dataclass(frozen=True)
class Limb:
    """A link with the joints that lead to it; `shift` [m] is its frame's origin in the body's."""

    link: Link
    body: int
    steps: tuple[Step, ...]
    shift: Vec3 = ORIGIN

    @property
    def helpers(self) -> tuple[str, ...]:
        """The massless links between the joints."""
        return tuple(step.child for step in self.steps[:-1])


@dataclass(frozen=True)
class _Motion:
    """A joint about an anchor, in the frame of the body."""

    name: str
    kind: JointKind
    axis: Vec3 | None
    anchor: Vec3
    ref: float
    element: Joint
    whole: bool = True


def limbs(model: Model) -> Iterator[Limb]:
    """Every link in tree order, the world's included where it is one."""
    robot = model.robot
    names = {link.name for link in robot.links}
    shifts: dict[str, Vec3] = {}
    for link in robot:
        number = model.body_index(link.name)
        inbound = robot.structure.inbound(link.name)
        if number is None or not inbound:
            yield Limb(link, -1 if number is None else number, ())
            continue
        motions = _motions(model, model.bodies[number], inbound)
        above = shifts.get(inbound[0].parent, ORIGIN)
        steps = _steps(inbound, model.bodies[number].X_PB, motions, names, above)
        shifts[link.name] = motions[-1].anchor
        yield Limb(link, number, steps, motions[-1].anchor)


def _motions(model: Model, body: Body, inbound: Sequence[Joint]) -> list[_Motion]:
    if len(inbound) == 1 and inbound[0].kind is not JointKind.SPHERICAL:
        joint = inbound[0]
        turns = joint.kind.turns
        anchor = joint.anchor if turns else ORIGIN
        ref = joint.ref if joint.kind.turns or joint.kind is JointKind.PRISMATIC else 0.0
        return [_Motion(joint.name, joint.kind, joint.axis, anchor, ref, joint)]
    motions: list[_Motion] = []
    anchor = ORIGIN
    for number in reversed(body.joints):  # a slide has no point of its own: it takes the next
        joint_ = model.joints[number]
        if joint_.element is None:
            continue
        anchor = joint_.anchor if joint_.type in _TURNING else anchor
        motions += _parts(joint_, joint_.element, anchor)
    return motions[::-1]


def _parts(joint: model_joint.Joint, element: Joint, anchor: Vec3) -> Iterator[_Motion]:
    """The last first. A ball joint is three hinges about x, y and z."""
    whole = element.kind is not JointKind.PLANAR
    name, axis, ref = joint.name, joint.axis, joint.ref
    if joint.type is JointType.BALL:
        turn = JointKind.CONTINUOUS
        for letter, about in reversed(_BALL):
            yield _Motion(f"{name}_{letter}", turn, about, anchor, 0.0, element, whole=False)
    elif joint.type is JointType.SLIDE:
        yield _Motion(name, JointKind.PRISMATIC, axis, anchor, ref, element, whole=whole)
    elif joint.type is JointType.HINGE:
        kind = element.kind if element.kind.turns else JointKind.CONTINUOUS
        yield _Motion(name, kind, axis, anchor, ref, element, whole=whole)
    else:
        yield _Motion(name, element.kind, axis, ORIGIN, 0.0, element)


def _steps(
    inbound: Sequence[Joint],
    X_PB: Array,
    motions: Sequence[_Motion],
    names: set[str],
    above: Vec3,
) -> tuple[Step, ...]:
    """The joints from the parent's frame, which is moved by `above`, to the child's."""
    steps: list[Step] = []
    parent, child, last = inbound[0].parent, inbound[0].child, ORIGIN
    for index, motion in enumerate(motions):
        to = child if index == len(motions) - 1 else _unused(f"{child}_{motion.name}", names)
        if index == 0:
            xyz, rpy = _first_origin(inbound, X_PB, motion)
            xyz = minus(xyz, above)
        else:
            xyz, rpy = _pose_of(pose(minus(motion.anchor, last)) @ _undone(motion))
        steps.append(
            Step(
                motion.name,
                motion.kind,
                parent,
                to,
                xyz,
                rpy,
                motion.axis,
                motion.element,
                motion.whole,
            )
        )
        parent, last = to, motion.anchor
    return tuple(steps)


def _first_origin(inbound: Sequence[Joint], X_PB: Array, motion: _Motion) -> tuple[Vec3, Vec3]:
    """As authored where that is where the joint stands."""
    if len(inbound) == 1 and motion.anchor == ORIGIN and not motion.ref:
        joint = inbound[0]
        return joint.xyz or ORIGIN, rpy_of(joint)
    return _pose_of(X_PB @ pose(motion.anchor) @ _undone(motion))


def _undone(motion: _Motion) -> Array:
    """The motion of a joint from its reference to zero, (4, 4)."""
    axis = motion.axis or (0.0, 0.0, 1.0)
    X = np.eye(4)
    if motion.kind.turns and motion.ref:
        X[:3, :3] = rotation_from_axis_angle(axis, -motion.ref)
    elif motion.kind is JointKind.PRISMATIC and motion.ref:
        X[:3, 3] = -motion.ref * np.array(axis) / np.linalg.norm(axis)
    return X


def _pose_of(X: Array) -> tuple[Vec3, Vec3]:
    x, y, z = X[:3, 3].tolist()
    roll, pitch, yaw = rpy_from_rotation(X[:3, :3]).tolist()
    return (x, y, z), (roll, pitch, yaw)


def rpy_of(element: elements.Inertial | elements.Geom | elements.Joint) -> Vec3:
    """The orientation as roll, pitch and yaw; as written where it is written so."""
    if element.quat is None or not any(element.quat):
        return element.rpy or ORIGIN
    roll, pitch, yaw = rpy_from_rotation(pose(quat=element.quat)[:3, :3]).tolist()
    return (roll, pitch, yaw)


def minus(a: Vec3, b: Vec3) -> Vec3:
    """The difference of two points; exactly the first where the second is the origin."""
    return a if b == ORIGIN else (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def _unused(wanted: str, names: set[str]) -> str:
    name = wanted
    while name in names:
        name += "_"
    names.add(name)
    return name


def is_empty_world(model: Model, found: Mapping[str, Limb]) -> bool:
    """True when the world says nothing that the absence of a world link doesn't say too.

    Then one body hangs on it, in its origin, freely and with mass, or fixed and without: as a
    root link stands when nothing else is asked for.
    """
    root = model.robot.structure.root
    children = model.robot.structure.children(root.name)
    if root.name_stated or root.geoms or root.sites or root.extensions or len(children) != 1:
        return False
    steps = found[children[0].name].steps
    if len(steps) != 1 or steps[0].xyz != ORIGIN or steps[0].rpy != ORIGIN:
        return False
    mass = model.bodies[found[children[0].name].body].mass
    wanted = JointKind.FLOATING if mass else JointKind.FIXED
    return steps[0].kind is wanted and not steps[0].element.name_stated
