"""Geoms: sizes that are not positive, materials that are not defined."""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.errors import Suggester
from phyzctl.geometry.shapes import Plane, Shape
from phyzctl.issues import Finding, Severity
from phyzctl.robot.robot import Robot
from phyzctl.robot.subject import describe


def size_not_positive(robot: Robot) -> Iterator[Finding]:
    """G508: a primitive of no extent. Only a warning where the geom is merely drawn."""
    for link in robot.links:
        for geom in link.geoms:
            wrong = [(name, value) for name, value in _sizes(geom.shape) if value <= 0]
            if not wrong:
                continue
            name, value = wrong[0]
            message = f"{name} {value:g} m is not positive"
            yield Finding(
                geom,
                message,
                _place(robot, geom.shape, name),
                subject=describe(geom) or f"link {link.name!r}",
                severity=None if geom.collides else Severity.WARNING,
            )


def material_undefined(robot: Robot) -> Iterator[Finding]:
    """G512: a URDF visual that names a material which is defined nowhere."""
    materials = [geom.material for link in robot.links for geom in link.geoms if geom.material]
    everywhere = [*robot.materials, *materials]
    named = (material.name for material in everywhere if not material.is_reference)
    defined = {name for name in named if name}
    suggester = Suggester()
    for link in robot.links:
        for geom in link.geoms:
            material = geom.material
            if material is None or not material.is_reference or not material.name:
                continue
            if material.name not in defined:
                hint = suggester.did_you_mean(material.name, defined)
                message = f"material {material.name!r} is defined nowhere{hint}"
                yield Finding(geom, message, "material@name", describe(geom) or describe(link))


def _place(robot: Robot, shape: Shape | None, name: str) -> str:
    """Where a size is written. MJCF keeps all of them in one attribute."""
    if robot.dialect == "mjcf":
        return "size"
    return f"geometry/{type(shape).__name__.lower()}@{name}"


def _sizes(shape: Shape | None) -> Iterator[tuple[str, float]]:
    if shape is None or isinstance(shape, Plane):
        return
    for name in ("radius", "length", "size", "radii"):
        value = getattr(shape, name, None)
        for number in value if isinstance(value, tuple) else (value,):
            if number is not None:
                yield name, number


CHECKS = ((codes.SIZE_NOT_POSITIVE, size_not_positive),)
