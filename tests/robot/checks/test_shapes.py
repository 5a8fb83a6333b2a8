"""Shapes: sizes above zero, and materials that somebody defines."""

from __future__ import annotations

import pytest

from phyzctl.geometry.shapes import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    MeshShape,
    Plane,
    Shape,
    Sphere,
)
from phyzctl.issues import Finding, Issues, Severity
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.checks import shapes
from phyzctl.robot.elements import Geom, GeomRole, Link, Material, Mesh

GREY = Material("grey", (0.5, 0.5, 0.5, 1.0))


def found(geom: Geom, dialect: str = "urdf") -> list[Finding]:
    builder = RobotBuilder("r", dialect=dialect).link(Link("arm", geoms=(geom,)))
    builder.mesh(Mesh("part", uri="part.stl"))
    return list(shapes.size_not_positive(builder.build(Issues())))


SIZES: dict[str, tuple[Shape | None, str | None]] = {
    "ball": (Sphere(0.1), None),
    "point": (Sphere(0.0), "geometry/sphere@radius"),
    "inside out": (Sphere(-0.1), "geometry/sphere@radius"),
    "plate": (Box((1.0, 1.0, 0.0)), "geometry/box@size"),
    "disc": (Cylinder(0.1, 0.0), "geometry/cylinder@length"),
    "capsule": (Capsule(0.0, 0.1), "geometry/capsule@radius"),
    "ellipsoid": (Ellipsoid((0.1, 0.1, -0.1)), "geometry/ellipsoid@radii"),
    "unknown radius": (Sphere(None), None),
    "unknown box": (Box(None), None),
    "endless plane": (Plane((0.0, 0.0, 0.0)), None),
    "mesh": (MeshShape("part"), None),
    "unknown shape": (None, None),
}


@pytest.mark.parametrize(("shape", "place"), SIZES.values(), ids=SIZES)
def test_sizes_are_positive(shape: Shape | None, place: str | None) -> None:
    places = [finding.attribute for finding in found(Geom(shape))]
    assert places == ([] if place is None else [place])


def test_mjcf_keeps_sizes_in_one_attribute() -> None:
    (finding,) = found(Geom(Sphere(0.0), "tip"), dialect="mjcf")
    assert (finding.attribute, finding.subject) == ("size", "geom 'tip'")


def test_several_wrong_sizes_of_one_shape_are_one_mistake() -> None:
    assert len(found(Geom(Box((0.0, -1.0, 0.0))))) == 1


def test_what_is_only_drawn_is_a_warning() -> None:
    roles = {role: found(Geom(Sphere(0.0), role=role))[0].severity for role in GeomRole}
    assert roles == {
        GeomRole.VISUAL: Severity.WARNING,
        GeomRole.COLLISION: None,
        GeomRole.BOTH: None,
    }


def undefined(*materials: Material | None, defined: tuple[Material, ...] = ()) -> list[str]:
    geoms = tuple(Geom(Sphere(0.1), material=material) for material in materials)
    builder = RobotBuilder("r", dialect="urdf").link(Link("arm", geoms=geoms))
    for material in defined:
        builder.material(material)
    return [finding.message for finding in shapes.material_undefined(builder.build(Issues()))]


def test_a_material_is_defined_at_the_top_or_in_any_visual() -> None:
    assert not undefined(Material("grey"), defined=(GREY,))
    assert not undefined(Material("grey"), GREY)
    assert not undefined(GREY, Material("grey"))
    assert not undefined(Material(None), None)
    assert not undefined(Material("logo", texture="logo.png"))


def test_a_material_that_nobody_defines() -> None:
    assert undefined(Material("gery"), defined=(GREY,)) == [
        "material 'gery' is defined nowhere; did you mean 'grey'?"
    ]
    assert len(undefined(Material("red"), Material("red"))) == 2
    # A definition without colour or texture defines nothing.
    assert len(undefined(Material("red"), defined=(Material("red"),))) == 1
