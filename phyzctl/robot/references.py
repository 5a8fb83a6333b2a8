"""Names that nothing answers to: each dangling reference is an Issue and is left out.

A reference to something that was stated but could not stand in the tree is left out without
another Issue: its cause has been reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from phyzctl import codes
from phyzctl.errors import Suggester, did_you_mean
from phyzctl.geometry.shapes import HeightfieldShape, MeshShape
from phyzctl.issues import Code, Issues, Severity
from phyzctl.records import dataclass
from phyzctl.robot.assembly import Assembly
from phyzctl.robot.elements import Geom, Joint, Link, Transmission, TransmissionEnd
from phyzctl.robot.mechanism import (
    Actuator,
    Equality,
    EqualityKind,
    Sensor,
    Tendon,
    TransmissionKind,
)
from phyzctl.robot.robot import Robot
from phyzctl.robot.subject import describe

_Item = TypeVar("_Item")
# A reference: the kind of thing named, and its name.
_Reference = tuple[str, str]

_ACTUATOR_TARGETS = {
    TransmissionKind.JOINT: "joint",
    TransmissionKind.JOINT_IN_PARENT: "joint",
    TransmissionKind.TENDON: "tendon",
    TransmissionKind.SITE: "site",
    TransmissionKind.SLIDER_CRANK: "site",
    TransmissionKind.BODY: "link",
}


@dataclass(frozen=True)
class _Names:
    """Per kind, the names in the Robot and the names that were stated at all."""

    alive: dict[str, set[str]]
    stated: dict[str, frozenset[str]]

    def knows(self, reference: _Reference) -> bool:
        kind, name = reference
        return name in self.alive.get(kind, ())

    def condemned(self, reference: _Reference) -> bool:
        kind, name = reference
        return name in self.stated.get(kind, ())


def drop_dangling(robot: Robot, assembly: Assembly, issues: Issues) -> Robot:
    """The Robot without its dangling references, each reported into `issues`."""
    names = _names(robot, assembly)
    keep = _Keeper(names, issues)
    tendons = keep.all(robot.tendons, _tendon_references, codes.REFERENCE_UNKNOWN)
    names.alive["tendon"] = {tendon.name for tendon in tendons if tendon.name}
    actuators = keep.all(robot.actuators, _actuator_references, codes.ACTUATOR_JOINT_UNKNOWN)
    names.alive["actuator"] = {a.name for a in actuators if a.name}
    for end in _transmission_joints(robot.transmissions):
        # Kept all the same: only ros_control reads it, and a writer must not lose it.
        keep.one(end, [("joint", end.name)], codes.ACTUATOR_JOINT_UNKNOWN, Severity.WARNING)
    return replace(
        robot,
        # In URDF a material that is only named may be defined by any link's visual.
        links=tuple(
            _with_known_assets(link, keep, materials=robot.dialect == "mjcf")
            for link in robot.links
        ),
        joints=tuple(_with_known_mimic(joint, keep) for joint in robot.joints),
        tendons=tendons,
        actuators=actuators,
        equalities=keep.all(robot.equalities, _equality_references, codes.REFERENCE_UNKNOWN),
        excludes=keep.all(
            robot.excludes,
            lambda exclude: [("link", exclude.first), ("link", exclude.second)],
            codes.CONTACT_NAME_UNKNOWN,
        ),
        pairs=keep.all(
            robot.pairs,
            lambda pair: [("geom", pair.first), ("geom", pair.second)],
            codes.CONTACT_NAME_UNKNOWN,
        ),
        sensors=keep.all(robot.sensors, _sensor_references, codes.REFERENCE_UNKNOWN),
    )


def report_unknown_link(name: str, known: Iterable[str], issues: Issues) -> None:
    """A part was stated for a link that doesn't exist."""
    message = f"parts were stated for link {name!r}, which is not defined"
    issues.add(codes.REFERENCE_UNKNOWN, f"{message}{did_you_mean(name, known)}")


class _Keeper:
    """Reports dangling references and says what may stay."""

    def __init__(self, names: _Names, issues: Issues) -> None:
        self._names = names
        self._issues = issues
        self._suggester = Suggester()

    def all(
        self,
        items: Iterable[_Item],
        references: Callable[[_Item], Iterable[_Reference]],
        code: Code,
    ) -> tuple[_Item, ...]:
        return tuple(item for item in items if self.one(item, references(item), code))

    def one(
        self,
        item: Any,
        references: Iterable[_Reference],
        code: Code,
        severity: Severity | None = None,
    ) -> bool:
        """True when every reference of `item` is known."""
        dangling = [ref for ref in references if not self._names.knows(ref)]
        for reference in dangling:
            if not self._names.condemned(reference):
                self._report(item, reference, code, severity)
        return not dangling

    def _report(
        self, item: Any, reference: _Reference, code: Code, severity: Severity | None
    ) -> None:
        kind, name = reference
        known = self._names.alive.get(kind, set())
        hint = self._suggester.did_you_mean(name, known)
        message = f"{kind} {name!r} is not defined{hint}"
        self._issues.add(
            code,
            message,
            source=item.source,
            subject=describe(item),
            severity=severity,
            attribute=f"={name}",
        )


def _names(robot: Robot, assembly: Assembly) -> _Names:
    geoms = {geom.name for link in robot.links for geom in link.geoms if geom.name}
    sites = {site.name for link in robot.links for site in link.sites if site.name}
    alive = {
        "link": {link.name for link in robot.links},
        "joint": {joint.name for joint in robot.joints},
        "geom": geoms,
        "site": sites,
        "mesh": {mesh.name for mesh in robot.meshes},
        "material": {material.name for material in robot.materials if material.name},
        "height field": {heightfield.name for heightfield in robot.heightfields},
        "tendon": {tendon.name for tendon in robot.tendons if tendon.name},
    }
    stated = {
        "link": assembly.stated_links,
        "joint": assembly.stated_joints,
        "geom": assembly.stated_geoms,
        "site": assembly.stated_sites,
        "tendon": frozenset(alive["tendon"]),
    }
    return _Names(alive, stated)


def _actuator_references(actuator: Actuator) -> Iterator[_Reference]:
    yield _ACTUATOR_TARGETS[actuator.transmission], actuator.target
    for site in (actuator.slider_site, actuator.reference_site):
        if site is not None:
            yield "site", site


def _tendon_references(tendon: Tendon) -> Iterator[_Reference]:
    for step in tendon.path:
        if step.name is not None:
            yield step.kind, step.name
        if step.side_site is not None:
            yield "site", step.side_site


def _equality_references(equality: Equality) -> Iterator[_Reference]:
    if equality.kind is EqualityKind.FLEX:
        return
    by_objects = equality.kind in (EqualityKind.CONNECT, EqualityKind.WELD)
    kind = equality.objects if by_objects else equality.kind.value
    kind = "link" if kind == "body" else kind
    for name in (equality.first, equality.second):
        if name is not None:
            yield kind, name


def _sensor_references(sensor: Sensor) -> Iterator[_Reference]:
    for kind, name in (
        (sensor.object_kind, sensor.object_name),
        (sensor.reference_kind, sensor.reference_name),
    ):
        checked = "link" if kind in ("body", "xbody") else kind
        if checked in _CHECKED_SENSOR_OBJECTS and name is not None:
            yield checked, name


_CHECKED_SENSOR_OBJECTS = frozenset({"link", "joint", "geom", "site", "tendon", "actuator"})


def _transmission_joints(transmissions: Iterable[Transmission]) -> Iterator[TransmissionEnd]:
    for transmission in transmissions:
        yield from transmission.joints


def _with_known_mimic(joint: Joint, keep: _Keeper) -> Joint:
    mimic = joint.mimic
    if mimic is None:
        return joint
    known = keep.one(joint, [("joint", mimic.joint)], codes.MIMIC_UNKNOWN)
    return joint if known else replace(joint, mimic=None)


def _with_known_assets(link: Link, keep: _Keeper, *, materials: bool) -> Link:
    geoms = tuple(_with_known_asset(geom, keep) for geom in link.geoms)
    if materials:
        geoms = tuple(_with_known_material(geom, keep) for geom in geoms)
    return link if geoms == link.geoms else replace(link, geoms=geoms)


def _with_known_asset(geom: Geom, keep: _Keeper) -> Geom:
    shape = geom.shape
    if isinstance(shape, MeshShape):
        reference = ("mesh", shape.mesh)
    elif isinstance(shape, HeightfieldShape):
        reference = ("height field", shape.heightfield)
    elif geom.fit_mesh is not None:
        reference = ("mesh", geom.fit_mesh)
    else:
        return geom
    known = keep.one(geom, [reference], codes.REFERENCE_UNKNOWN)
    return geom if known else replace(geom, shape=None, fit_mesh=None)


def _with_known_material(geom: Geom, keep: _Keeper) -> Geom:
    material = geom.material
    if material is None or not material.name:
        return geom
    known = keep.one(geom, [("material", material.name)], codes.REFERENCE_UNKNOWN)
    return geom if known else replace(geom, material=replace(material, name=None))
