"""Geoms, sites and inertials: sizes, roles, what belongs to whom."""

from __future__ import annotations

import pytest

from phyzctl.geometry.shapes import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    HeightfieldShape,
    MeshShape,
    Plane,
    Shape,
    Sphere,
)
from phyzctl.robot.elements import GeomRole, Inertia, Material, Surface
from tests.formats.mjcf.reading import clean, codes_of, compiled, geom, only, read, refused

MESH = '<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>'


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ('<geom size="1"/>', Sphere(1.0)),
        ('<geom type="sphere" size="1 2 3"/>', Sphere(1.0)),
        ('<geom type="capsule" size="1 2"/>', Capsule(1.0, 4.0)),
        ('<geom type="cylinder" size="1 2"/>', Cylinder(1.0, 4.0)),
        ('<geom type="box" size="1 2 3"/>', Box((2.0, 4.0, 6.0))),
        ('<geom type="ellipsoid" size="1 2 3"/>', Ellipsoid((1.0, 2.0, 3.0))),
        ('<geom type="plane" size="0 0 1"/>', Plane((0.0, 0.0, 1.0))),
        ('<geom type="capsule" size="1" fromto="0 0 0 0 3 4"/>', Capsule(1.0, 5.0)),
        ('<geom type="cylinder" size="1 9" fromto="0 0 0 0 3 4"/>', Cylinder(1.0, 5.0)),
        ('<geom type="box" size="1 2" fromto="0 0 0 0 3 4"/>', Box((2.0, 2.0, 5.0))),
        ('<geom type="ellipsoid" size="1" fromto="0 0 0 0 3 4"/>', Ellipsoid((1.0, 1.0, 2.5))),
    ],
)
def test_shapes(text: str, shape: Shape) -> None:
    assert geom(text).shape == shape


def test_shapes_of_assets() -> None:
    assert geom('<geom type="mesh" mesh="m"/>', MESH).shape == MeshShape("m")
    assert geom('<geom type="sdf" mesh="m"/>', MESH).shape == MeshShape("m")
    field = '<asset><hfield name="h" size="1 1 1 1" nrow="2" ncol="2"/></asset>'
    assert geom('<geom type="hfield" hfield="h"/>', field).shape == HeightfieldShape("h")


@pytest.mark.parametrize("kind", ["sphere", "capsule", "cylinder", "box", "ellipsoid"])
def test_a_primitive_fitted_to_a_mesh(kind: str) -> None:
    fitted = geom(f'<geom type="{kind}" mesh="m" fitscale="0.9"/>', MESH)
    assert (fitted.fit_mesh, fitted.fit_scale) == ("m", 0.9)
    assert type(fitted.shape).__name__.lower() == kind


def test_a_geom_with_a_mesh_but_no_type_is_a_sphere_around_it() -> None:
    """Easily overlooked: the default type is sphere, whatever else is written."""
    text = f'{MESH}<worldbody><geom mesh="m"/></worldbody>'
    assert clean(text).structure.root.geoms[0].shape == Sphere(None)
    assert compiled(text).geom_type[0] == 2


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ('<geom type="box" size="1 2"/>', "X006", "takes 3 numbers, 2 found"),
        ('<geom type="capsule"/>', "X006", "takes 2 numbers, none found"),
        ("<geom/>", "X006", "takes 1 number, none found"),
        ('<geom type="capsule" fromto="0 0 0 1 0 0"/>', "X006", "takes 2 numbers"),
        ('<geom type="mesh"/>', "G513", "no mesh is named"),
        ('<geom type="hfield"/>', "G513", "no hfield is named"),
        ('<geom size="1" fromto="0 0 0 1 0 0"/>', "G513", "not a sphere"),
        ('<geom type="capsule" size="1" fromto="1 2 3 1 2 3"/>', "G513", "same point twice"),
        ('<geom type="cube" size="1"/>', "X008", '"cube"'),
        ('<geom type="mesh" mesh="zz"/>', "N305", "'zz'"),
    ],
)
def test_faults(text: str, code: str, words: str) -> None:
    whole = f"<worldbody>{text}</worldbody>"
    issue = only(whole)
    assert (issue.code.id, issue.fatal) == (code, True), issue
    assert words in str(issue)
    assert refused(whole)


def test_a_size_that_is_not_written_is_unknown_and_not_zero() -> None:
    robot, _ = read('<worldbody><geom type="box" size="1 2"/></worldbody>')
    assert robot.structure.root.geoms[0].shape == Box(None)


def test_a_wrong_size_stays_for_the_rules_to_judge() -> None:
    assert geom('<geom size="-1"/>').shape == Sphere(-1.0)


@pytest.mark.parametrize(
    ("masks", "role"),
    [
        ("", GeomRole.BOTH),
        ('contype="0"', GeomRole.BOTH),
        ('conaffinity="0"', GeomRole.BOTH),
        ('contype="0" conaffinity="0"', GeomRole.VISUAL),
        ('contype="2" conaffinity="0"', GeomRole.BOTH),
    ],
)
def test_roles(masks: str, role: GeomRole) -> None:
    assert geom(f'<geom size="1" {masks}/>').role is role


def test_a_surface_holds_only_what_is_written() -> None:
    assert geom('<geom size="1"/>').surface is None
    surface = geom('<geom size="1" friction="1" solref="0.1" solimp="0.5 0.6"/>').surface
    assert surface == Surface(friction=(1.0,), solref=(0.1,), solimp=(0.5, 0.6))


def test_mass_and_density() -> None:
    shown = geom('<geom size="1" mass="2" density="3" shellinertia="true"/>')
    assert (shown.mass, shown.density, shown.shell_inertia) == (2.0, 3.0, True)
    plain = geom('<geom size="1"/>')
    assert (plain.mass, plain.density, plain.shell_inertia) == (None, None, False)


def test_materials_are_named_and_coloured() -> None:
    asset = '<asset><material name="steel" rgba="0.5 0.5 0.5 1"/></asset>'
    shown = geom('<geom size="1" material="steel" rgba="1 0 0 1"/>', asset)
    assert shown.material == Material("steel", (1.0, 0.0, 0.0, 1.0))
    assert geom('<geom size="1"/>').material is None


def test_what_has_no_place_is_kept() -> None:
    kept = geom('<geom size="1" surfacevel="1 2 3" user="1"/>').extensions
    assert {item.tag: item.text for item in kept} == {"@surfacevel": "1 2 3", "@user": "1"}


def test_how_a_medium_takes_it() -> None:
    assert not geom('<geom size="1" fluidshape="none"/>').fluid_ellipsoid
    taken = geom('<geom size="1" fluidshape="ellipsoid" fluidcoef="1 2"/>')
    assert taken.fluid_ellipsoid
    assert taken.fluid_coefficients == (1.0, 2.0)


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("<site/>", Sphere(0.005)),
        ('<site size="1"/>', Sphere(1.0)),
        ('<site type="box" size="1"/>', Box((2.0, 0.01, 0.01))),
        ('<site type="capsule" size="1" fromto="0 0 0 0 0 4"/>', Capsule(1.0, 4.0)),
    ],
)
def test_sites(text: str, shape: Shape) -> None:
    site = clean(f"<worldbody>{text}</worldbody>").structure.root.sites[0]
    assert site.shape == shape


def test_a_site_has_a_name_and_a_group() -> None:
    text = '<worldbody><site name="s" group="3" rgba="1 0 0 1"/></worldbody>'
    site = clean(text).structure.root.sites[0]
    assert (site.name, site.group) == ("s", 3)
    assert [item.tag for item in site.extensions] == ["@rgba"]


@pytest.mark.parametrize("kind", ["plane", "hfield", "mesh"])
def test_shapes_that_a_site_can_not_have(kind: str) -> None:
    text = f'<worldbody><site type="{kind}" size="1 1 1"/></worldbody>'
    assert codes_of(text) == ["X008"]
    assert refused(text)


BODY = '<worldbody><body name="b"><joint/><inertial pos="1 2 3" mass="4" {}/></body></worldbody>'


@pytest.mark.parametrize(
    ("text", "inertia"),
    [
        ('diaginertia="1 2 3"', Inertia(1, 0, 0, 2, 0, 3)),
        ('fullinertia="1 2 2.5 0.1 0.2 0.3"', Inertia(1, 0.1, 0.2, 2, 0.3, 2.5)),
    ],
)
def test_inertias(text: str, inertia: Inertia) -> None:
    inertial = clean(BODY.format(text)).structure.link("b").inertial
    assert inertial is not None
    assert (inertial.inertia, inertial.mass, inertial.xyz) == (inertia, 4.0, (1.0, 2.0, 3.0))


def test_an_inertia_stated_twice() -> None:
    text = BODY.format('diaginertia="1 1 1" fullinertia="1 1 1 0 0 0"')
    assert only(text).code.id == "X005"
    assert refused(text)


def test_a_full_inertia_has_its_own_axes() -> None:
    text = BODY.format('fullinertia="1 2 2.5 0.1 0.2 0.3" euler="1 2 3"')
    assert codes_of(text) == ["X005"]
    assert refused(text)


def test_two_inertials() -> None:
    one = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
    text = f'<worldbody><body name="b"><joint/>{one}{one}</body></worldbody>'
    assert codes_of(text) == ["X005"]
    assert refused(text)
