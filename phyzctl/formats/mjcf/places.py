"""Where joints and actuators stand in the vectors of a state, and which element each stems from."""

from __future__ import annotations

from phyzctl.formats.xmlnode import Document, Node
from phyzctl.records import dataclass
from phyzctl.robot.elements import Joint, JointKind

Origin = tuple[Document, int]


@dataclass(frozen=True)
class Place:
    """A part of a vector: the element it belongs to, and what it holds at the reference."""

    origin: Origin
    rest: tuple[float, ...]


@dataclass(frozen=True)
class JointPlace:
    """A joint's parts of the position and the velocity."""

    position: Place
    velocity: Place


@dataclass(frozen=True)
class AttachedKeys:
    """The keys of an attached model, with the order in which their vectors count."""

    nodes: tuple[Node, ...]
    prefix: str
    joints: tuple[JointPlace, ...]
    actuators: tuple[Place, ...]


def origin_of(node: Node) -> Origin:
    """The element of a file that a node is, or is a copy of."""
    return node.document, node.offset


def joint_place(node: Node, joint: Joint) -> JointPlace:
    """Of a joint whose body's pose is on it."""
    origin = origin_of(node)
    if joint.kind is JointKind.FLOATING:
        xyz, quat = joint.xyz or (0.0, 0.0, 0.0), joint.quat or (1.0, 0.0, 0.0, 0.0)
        return JointPlace(Place(origin, (*xyz, *quat)), Place(origin, (0.0,) * 6))
    if joint.kind is JointKind.SPHERICAL:
        return JointPlace(Place(origin, (1.0, 0.0, 0.0, 0.0)), Place(origin, (0.0,) * 3))
    return JointPlace(Place(origin, (joint.ref,)), Place(origin, (0.0,)))
