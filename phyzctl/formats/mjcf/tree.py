"""The worldbody: bodies into links and the joints that move them, in depth-first order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count

from phyzctl import codes
from phyzctl.formats.mjcf.attributes import Attributes
from phyzctl.formats.mjcf.defaults import DefaultClass
from phyzctl.formats.mjcf.geoms import read_geom, read_inertial, read_site
from phyzctl.formats.mjcf.joints import read_freejoint, read_joint
from phyzctl.formats.mjcf.model import Model
from phyzctl.formats.mjcf.names import Names
from phyzctl.formats.mjcf.placement import NOWHERE_ELSE, Placement, read_placement
from phyzctl.formats.mjcf.places import joint_place
from phyzctl.formats.mjcf.unsupported import kept
from phyzctl.formats.xmlnode import Node
from phyzctl.records import dataclass
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import Extension, Geom, GeomRole, Inertial, Joint, JointKind, Link, Site
from phyzctl.robot.namesakes import code_of_namesake, relation_to_first
from phyzctl.robot.robot import WORLD_LINK

_TURNING = (JointKind.SPHERICAL, JointKind.REVOLUTE, JointKind.CONTINUOUS)


@dataclass(frozen=True)
class _Inside:
    """An element of a body: the frame around it and the class it inherits."""

    node: Node
    frame: Placement
    inherited: DefaultClass | None


@dataclass(frozen=True)
class _Body:
    """A body that waits to be read, and the link it hangs on."""

    inside: _Inside
    parent: str


def read_tree(model: Model, builder: RobotBuilder) -> None:
    """State the world, and every body with its joints, geoms, sites and inertial."""
    _TreeReader(model, builder).run()


class _TreeReader:
    def __init__(self, model: Model, builder: RobotBuilder) -> None:
        self.model = model
        self.builder = builder
        nodes = [node for section in model.sections("worldbody") for node in section.iter()]
        self.names = Names(node.attributes.get("name", "") for node in nodes)
        self.numbers = count(1)
        self.bodies: dict[str, Node] = {}

    def run(self) -> None:
        worlds = self.model.sections("worldbody")
        waiting = self._world(worlds)
        while waiting:
            body = waiting.pop()
            waiting += reversed(self._body(body))

    def _world(self, worlds: list[Node]) -> list[_Body]:
        content = _Content(self.model)
        for world in worlds:
            content.read(_Inside(world, NOWHERE_ELSE, None))
        for node in content.misplaced_in_world:
            message = f"the world has no {node.tag}"
            self.model.issues.add(codes.ELEMENT_REPEATED, message, source=node.source)
        source = worlds[0].source if worlds else self.model.root.source
        self.builder.link(
            Link(
                WORLD_LINK,
                geoms=tuple(content.geoms),
                sites=tuple(content.sites),
                name_stated=False,
                extensions=tuple(content.extensions),
                source=source,
            )
        )
        return [_Body(inside, WORLD_LINK) for inside in reversed(content.bodies)]

    def _body(self, body: _Body) -> list[_Body]:
        node = body.inside.node
        attributes = self.model.attributes(node)
        classes = self.model.scope(node).classes
        inherited = classes.find(node, "childclass") or body.inside.inherited
        placement = read_placement(attributes, self.model.settings(node))
        placement = placement.within(body.inside.frame)
        content = _Content(self.model)
        content.read(_Inside(node, NOWHERE_ELSE, inherited))
        stated = self._own_name(node)
        number = next(self.numbers)
        name = stated or self.names.make(f"{WORLD_LINK}:body{number}")
        mocap = attributes.boolean("mocap") or False
        if mocap and (content.joints or body.parent != WORLD_LINK):
            self._report_mocap(attributes)
        self.builder.link(
            Link(
                name,
                inertial=content.inertial,
                geoms=tuple(content.geoms),
                sites=tuple(content.sites),
                gravcomp=attributes.number("gravcomp"),
                mocap=mocap,
                name_stated=bool(stated),
                extensions=(*attributes.extensions(), *content.extensions),
                source=node.source,
            ),
            replace_earlier=False,
        )
        self._state_joints(body, name, placement, content)
        return [_Body(inside, name) for inside in content.bodies]

    def _own_name(self, node: Node) -> str | None:
        """The name that a body states; None for one that is taken, which is reported."""
        name = node.attributes.get("name")
        first = self.bodies.setdefault(name, node) if name else node
        if first is node:
            return name
        place = node.attribute_source("name")
        self.model.issues.add(
            code_of_namesake(place, first.source),
            f"the name {name!r} is taken; this body goes without one",
            source=place,
            subject=node.subject,
            related=relation_to_first(first.source),
        )
        return None

    def _state_joints(
        self, body: _Body, name: str, placement: Placement, content: _Content
    ) -> None:
        """The body's pose stands on its first joint; without joints it is fixed."""
        joints = content.joints
        self._report_impossible(joints, nested=body.parent != WORLD_LINK)
        source = body.inside.node.source
        for index, joint in enumerate(joints or [Joint("", source=source)]):
            stands = placement if index == 0 else NOWHERE_ELSE
            stated = replace(
                joint,
                name=joint.name or self.names.make(f"{name}:joint"),
                name_stated=bool(joint.name),
                parent=body.parent,
                child=name,
                xyz=stands.xyz,
                rpy=stands.stated_rpy,
                quat=stands.stated_quat,
            )
            self.builder.joint(stated)
            if joints:
                self.model.joint_places.append(joint_place(content.joint_nodes[index], stated))

    def _report_impossible(self, joints: list[Joint], *, nested: bool) -> None:
        """Joints that can't stand where they do, or not together."""
        for index, joint in enumerate(joints):
            if joint.kind is JointKind.FLOATING and nested:
                message = "a free joint can only move a child of the world"
            elif joint.kind is JointKind.FLOATING and len(joints) > 1:
                message = "a free joint must be the only joint of its body"
            elif joint.kind in _TURNING and any(
                earlier.kind is JointKind.SPHERICAL for earlier in joints[:index]
            ):
                message = "the ball joint before it turns the body in every direction already"
            else:
                continue
            subject = f"joint {joint.name!r}" if joint.name else None
            code = codes.FREEJOINT_NESTED
            self.model.issues.add(code, message, source=joint.source, subject=subject)

    def _report_mocap(self, attributes: Attributes) -> None:
        message = "a mocap body must be a child of the world without joints"
        attributes.report(codes.MOCAP_MISPLACED, message, "mocap")


class _Content:
    """What stands in one body, with the frames in it dissolved."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.joints: list[Joint] = []
        self.joint_nodes: list[Node] = []
        self.geoms: list[Geom] = []
        self.sites: list[Site] = []
        self.bodies: list[_Inside] = []
        self.extensions: list[Extension] = []
        self.inertial: Inertial | None = None
        self.misplaced_in_world: list[Node] = []

    def read(self, body: _Inside) -> None:
        """Read all children of `body`."""
        for inside in self._children(body):
            self._read_one(inside)

    def _children(self, body: _Inside) -> Iterator[_Inside]:
        """In document order, through frames, whose poses add up."""
        waiting = self._directly_in(body, body.frame)
        while waiting:
            inside = waiting.pop()
            if inside.node.tag != "frame":
                yield inside
                continue
            node = inside.node
            attributes = self.model.attributes(node)
            settings = self.model.settings(node)
            frame = read_placement(attributes, settings).within(inside.frame)
            classes = self.model.scope(node).classes
            inherited = classes.find(node, "childclass") or inside.inherited
            waiting += self._directly_in(replace(inside, inherited=inherited), frame)

    @staticmethod
    def _directly_in(body: _Inside, frame: Placement) -> list[_Inside]:
        children = reversed(body.node.children)
        return [_Inside(node, frame, body.inherited) for node in children]

    def _read_one(self, inside: _Inside) -> None:
        node, frame = inside.node, inside.frame
        settings = self.model.settings(node)
        if node.tag == "geom":
            self._read_geom(inside)
        elif node.tag == "site":
            self.sites.append(read_site(self._attributes(inside), settings, frame))
        elif node.tag == "body":
            self.bodies.append(inside)
        elif node.tag in ("joint", "freejoint"):
            self._read_joint(inside)
        elif node.tag == "inertial":
            self.misplaced_in_world.append(node)
            attributes = self.model.attributes(node)
            self.inertial = read_inertial(attributes, settings, frame)
        else:
            self.extensions += kept(node, self.model.issues)

    def _read_geom(self, inside: _Inside) -> None:
        settings = self.model.settings(inside.node)
        geom = read_geom(self._attributes(inside), settings, inside.frame)
        if geom.name in self.model.paired_geoms:
            geom = replace(geom, role=GeomRole.BOTH)
        self.geoms.append(geom)

    def _read_joint(self, inside: _Inside) -> None:
        node = inside.node
        self.misplaced_in_world.append(node)
        if node.tag == "freejoint":
            attributes = self.model.attributes(node)
            joint = read_freejoint(attributes)
        else:
            attributes = self._attributes(inside)
            joint = read_joint(attributes, self.model.settings(node), inside.frame)
        self.joint_nodes.append(node)
        self.joints.append(replace(joint, name=attributes.string("name") or ""))

    def _attributes(self, inside: _Inside) -> Attributes:
        return self.model.attributes(inside.node, inside.node.tag, inside.inherited)
