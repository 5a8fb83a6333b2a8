"""RobotBuilder: state the parts of a robot in any order, then build a well-formed Robot."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Any, Self

from phyzctl.issues import BuildError, Issues, Source
from phyzctl.records import dataclass
from phyzctl.robot.assembly import assemble
from phyzctl.robot.checks import build_faults
from phyzctl.robot.duplicates import drop_duplicates
from phyzctl.robot.elements import (
    Extension,
    Geom,
    GeomRole,
    Inertial,
    Joint,
    Link,
    Material,
    Mesh,
    Site,
    Transmission,
)
from phyzctl.robot.limits import within_memory
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
from phyzctl.robot.prefix import prefixed
from phyzctl.robot.references import drop_dangling, report_unknown_link
from phyzctl.robot.robot import KINDS, Robot

_LISTS = tuple(name for name in KINDS if name not in {"links", "joints"})


@dataclass
class _Parts:
    """What has been stated about one link besides the link itself."""

    inertial: Inertial | None = None
    geoms: list[Geom] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)


class RobotBuilder:
    """Collects statements; `build()` judges them all at once. Calls can be chained.

    With `implicit_links` a joint creates its child link when nothing else states it. Readers of
    formats where every link must be written turn that off.
    """

    def __init__(
        self,
        name: str,
        *,
        dialect: str | None = None,
        version: str | None = None,
        source: Source | None = None,
        implicit_links: bool = True,
    ) -> None:
        self._robot = Robot(name, (), (), dialect=dialect, version=version, source=source)
        self._implicit_links = implicit_links
        self._links: list[Link] = []
        self._place_of_link: dict[str, int] = {}
        self._parts: dict[str, _Parts] = {}
        self._joints: list[Joint] = []
        self._lists: dict[str, list[object]] = {}

    @classmethod
    def of(cls, robot: Robot) -> Self:
        """A builder that has stated all of a Robot, so that more can be added to it."""
        builder = cls(robot.name, implicit_links=False)
        builder._robot = replace(robot, links=(), joints=())
        for link in robot.links:
            builder.link(link)
        builder._joints = list(robot.joints)
        builder._lists = {name: list(getattr(robot, name)) for name in _LISTS}
        return builder

    def link(self, link: Link, *, replace_earlier: bool = True) -> Self:
        """State a link. A later statement of the name replaces the earlier one.

        With `replace_earlier` off both are kept, and `build` reports the second (N301).
        """
        place = self._place_of_link.get(link.name)
        if place is not None and replace_earlier:
            self._links[place] = link
        else:
            self._place_of_link.setdefault(link.name, len(self._links))
            self._links.append(link)
        return self

    def joint(self, joint: Joint) -> Self:
        """State a joint. Stating the name twice is a fault."""
        self._joints.append(joint)
        return self

    def inertial(self, link: str, inertial: Inertial) -> Self:
        """State the mass and inertia of a link; replaces what was stated before."""
        self._part(link).inertial = inertial
        return self

    def geom(self, link: str, geom: Geom) -> Self:
        """Add a geom to a link, in the role that it states."""
        self._part(link).geoms.append(geom)
        return self

    def visual(self, link: str, geom: Geom) -> Self:
        """Add a geom that is only drawn."""
        return self.geom(link, replace(geom, role=GeomRole.VISUAL))

    def collision(self, link: str, geom: Geom) -> Self:
        """Add a geom that only collides."""
        return self.geom(link, replace(geom, role=GeomRole.COLLISION))

    def site(self, link: str, site: Site) -> Self:
        """Add a named frame to a link."""
        self._part(link).sites.append(site)
        return self

    def material(self, material: Material) -> Self:
        """Define a material by name."""
        return self._append("materials", material)

    def mesh(self, mesh: Mesh) -> Self:
        """Define a mesh asset by name."""
        return self._append("meshes", mesh)

    def heightfield(self, heightfield: Heightfield) -> Self:
        """Define a height field asset by name."""
        return self._append("heightfields", heightfield)

    def actuator(self, actuator: Actuator) -> Self:
        """Add an actuator; their order is the order of `ctrl`."""
        return self._append("actuators", actuator)

    def equality(self, equality: Equality) -> Self:
        """Add an equality constraint."""
        return self._append("equalities", equality)

    def tendon(self, tendon: Tendon) -> Self:
        """Add a tendon."""
        return self._append("tendons", tendon)

    def keyframe(self, keyframe: Keyframe) -> Self:
        """Add a keyframe."""
        return self._append("keyframes", keyframe)

    def exclude(self, exclude: Exclude) -> Self:
        """Exclude a pair of links from contact."""
        return self._append("excludes", exclude)

    def pair(self, pair: ContactPair) -> Self:
        """Add an explicit contact pair of geoms."""
        return self._append("pairs", pair)

    def sensor(self, sensor: Sensor) -> Self:
        """Add a sensor."""
        return self._append("sensors", sensor)

    def transmission(self, transmission: Transmission) -> Self:
        """Add a ros_control transmission."""
        return self._append("transmissions", transmission)

    def extension(self, extension: Extension) -> Self:
        """Keep an element of the file that phyzctl does not interpret."""
        return self._append("extensions", extension)

    def option(self, option: Option) -> Self:
        """State the simulation settings; replaces what was stated before."""
        self._robot = replace(self._robot, option=option)
        return self

    def settings(self, settings: CompilerSettings) -> Self:
        """State how masses are compiled; replaces what was stated before."""
        self._robot = replace(self._robot, settings=settings)
        return self

    def attach(self, other: Robot, at: Joint, *, prefix: str = "") -> Self:
        """Hang another robot on this one by the joint `at`, whose child is the other's root.

        Every name of `other` gets `prefix`; `at.child` may be left empty.
        """
        part = prefixed(other, prefix)
        self.joint(replace(at, child=part.structure.root.name))
        for link in part.links:
            self.link(link, replace_earlier=False)
        for joint in part.joints:
            self.joint(joint)
        for name in _LISTS:
            for item in getattr(part, name):
                self._append(name, item)
        return self

    def build(self, issues: Issues | None = None) -> Robot:
        """The Robot that was stated.

        With `issues`, structural faults are reported there, what can't stand in a tree is left
        out, and values stay as stated for the rules to judge. Without, one `BuildError` carries
        every structural fault and every value fault of error severity.
        """
        found = Issues() if issues is None else issues
        assembly = assemble(self._stated_links(found), self._joints, found, self._robot.source)
        lists: dict[str, Any] = {name: tuple(self._lists.get(name, ())) for name in _LISTS}
        stated = replace(self._robot, links=assembly.links, joints=assembly.joints, **lists)
        robot = drop_dangling(drop_duplicates(stated, found), assembly, found)
        robot = within_memory(robot, found)
        if issues is None:
            found.extend(build_faults(robot))
            if found.errors:
                raise BuildError(found.errors)
        return robot

    def _stated_links(self, issues: Issues) -> list[Link]:
        names = {link.name for link in self._links}
        children = [joint.child for joint in self._joints] if self._implicit_links else []
        implied = [Link(name) for name in dict.fromkeys(children) if name not in names]
        known = names | {link.name for link in implied}
        for name in self._parts:
            if name not in known:
                report_unknown_link(name, known, issues)
        return [self._complete(link) for link in [*self._links, *implied]]

    def _complete(self, link: Link) -> Link:
        parts = self._parts.get(link.name)
        if parts is None:
            return link
        return replace(
            link,
            inertial=parts.inertial or link.inertial,
            geoms=(*link.geoms, *parts.geoms),
            sites=(*link.sites, *parts.sites),
        )

    def _part(self, link: str) -> _Parts:
        return self._parts.setdefault(link, _Parts())

    def _append(self, name: str, item: object) -> Self:
        self._lists.setdefault(name, []).append(item)
        return self
