"""Robot: the authored description, immutable, always a well-formed tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any

from phyzctl.errors import NotFoundError, did_you_mean
from phyzctl.issues import Source
from phyzctl.records import dataclass
from phyzctl.robot.codec import decode, encode
from phyzctl.robot.elements import Extension, Joint, JointKind, Link, Material, Mesh, Transmission
from phyzctl.robot.mechanism import (
    Actuator,
    CompilerSettings,
    ContactPair,
    Equality,
    Exclude,
    Heightfield,
    Keyframe,
    Option,
    Sensor,
    Tendon,
)

SCHEMA = "phyzctl.robot/1"
WORLD_LINK = "world"
KINDS = {  # what an element of each list of a Robot is called, also by the RobotBuilder's methods
    "links": "link",
    "joints": "joint",
    "materials": "material",
    "meshes": "mesh",
    "heightfields": "heightfield",
    "actuators": "actuator",
    "equalities": "equality",
    "tendons": "tendon",
    "keyframes": "keyframe",
    "excludes": "exclude",
    "pairs": "pair",
    "sensors": "sensor",
    "transmissions": "transmission",
    "extensions": "extension",
}


@dataclass(frozen=True)
class Robot:
    """A robot as an author wrote it, by name, in the order of the file.

    Made by `RobotBuilder.build()`, which guarantees that joints join existing links in one
    tree without loops. `dialect` is the format it was written in ("urdf", "mjcf"), or None
    for one built in code.
    """

    name: str
    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    materials: tuple[Material, ...] = ()
    meshes: tuple[Mesh, ...] = ()
    heightfields: tuple[Heightfield, ...] = ()
    actuators: tuple[Actuator, ...] = ()
    equalities: tuple[Equality, ...] = ()
    tendons: tuple[Tendon, ...] = ()
    keyframes: tuple[Keyframe, ...] = ()
    excludes: tuple[Exclude, ...] = ()
    pairs: tuple[ContactPair, ...] = ()
    sensors: tuple[Sensor, ...] = ()
    transmissions: tuple[Transmission, ...] = ()
    option: Option = field(default_factory=Option)
    settings: CompilerSettings = field(default_factory=CompilerSettings)
    dialect: str | None = None
    version: str | None = None
    extensions: tuple[Extension, ...] = ()
    source: Source | None = field(default=None, compare=False, repr=False)

    @cached_property
    def structure(self) -> Structure:
        """The tree of links and joints."""
        return Structure(self.links, self.joints)

    def to_json(self) -> dict[str, Any]:
        """A JSON document that `from_json` turns back into an equal Robot.

        What equals its default is left out; so are sources and resolved file paths. The
        document follows `schemas/robot.schema.json`.
        """
        return {"schema": SCHEMA, **encode(self)}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Robot:
        """The Robot that `to_json` wrote; `CodecError` says where a document is wrong."""
        body = {key: value for key, value in document.items() if key != "schema"}
        return decode(cls, body)

    def __iter__(self) -> Iterator[Link]:
        """Links in tree order: parents first, depth first, siblings as authored."""
        return iter(self.structure)


class Structure:
    """Look-ups over the tree. All of them are constant time; iteration is in tree order."""

    def __init__(self, links: tuple[Link, ...], joints: tuple[Joint, ...]) -> None:
        self._links = {link.name: link for link in links}
        self._joints = {joint.name: joint for joint in joints}
        self._inbound: dict[str, list[Joint]] = {}
        self._children: dict[str, list[str]] = {name: [] for name in self._links}
        for joint in joints:
            series = self._inbound.setdefault(joint.child, [])
            if not series:
                self._children[joint.parent].append(joint.child)
            series.append(joint)
        self._order = self._tree_order()

    def _tree_order(self) -> tuple[Link, ...]:
        stack = [name for name in reversed(self._links) if name not in self._inbound]
        order: list[Link] = []
        while stack:
            name = stack.pop()
            order.append(self._links[name])
            stack.extend(reversed(self._children[name]))
        return tuple(order)

    def link(self, name: str) -> Link:
        """The link of that name; `NotFoundError` when there is none."""
        if name not in self._links:
            raise NotFoundError(f"no link named {name!r}{did_you_mean(name, self._links)}")
        return self._links[name]

    def joint(self, name: str) -> Joint:
        """The joint of that name; `NotFoundError` when there is none."""
        if name not in self._joints:
            raise NotFoundError(f"no joint named {name!r}{did_you_mean(name, self._joints)}")
        return self._joints[name]

    def has_link(self, name: str) -> bool:
        """True when a link has that name."""
        return name in self._links

    def has_joint(self, name: str) -> bool:
        """True when a joint has that name."""
        return name in self._joints

    @property
    def root(self) -> Link:
        """The link that is nobody's child."""
        if not self._order:
            raise NotFoundError("the robot has no links")
        return self._order[0]

    def children(self, name: str) -> tuple[Link, ...]:
        """The links that hang on a link, in authored order."""
        self.link(name)
        return tuple(self._links[child] for child in self._children[name])

    def inbound(self, name: str) -> tuple[Joint, ...]:
        """The joints that move a link, in series; empty for the root."""
        return tuple(self._inbound.get(name, ()))

    def parent(self, name: str) -> Link | None:
        """The link that a link hangs on, None for the root."""
        joints = self._inbound.get(name)
        return self._links[joints[0].parent] if joints else None

    def owner(self, part: object) -> Link | None:
        """The link of which this very object is the inertial, a geom or a site."""
        return self._owners.get(id(part))

    @cached_property
    def _owners(self) -> Mapping[int, Link]:
        return {
            id(part): link
            for link in self._links.values()
            for part in (link.inertial, *link.geoms, *link.sites)
            if part is not None
        }

    def rigid_groups(self) -> tuple[tuple[Link, ...], ...]:
        """Links joined by fixed joints only, each group and its members in tree order."""
        groups: list[list[Link]] = []
        group_of: dict[str, list[Link]] = {}
        for link in self._order:
            joints = self.inbound(link.name)
            welded = bool(joints) and all(joint.kind is JointKind.FIXED for joint in joints)
            group = group_of[joints[0].parent] if welded else []
            if not welded:
                groups.append(group)
            group.append(link)
            group_of[link.name] = group
        return tuple(tuple(group) for group in groups)

    def __iter__(self) -> Iterator[Link]:
        return iter(self._order)

    def __len__(self) -> int:
        return len(self._order)
