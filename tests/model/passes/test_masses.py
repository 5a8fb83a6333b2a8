"""Masses: authored ones turned into the body frame, and those that MJCF takes from geoms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from phyzctl.geometry.shapes import Box, Capsule, Cylinder, Ellipsoid, MeshShape, Plane, Sphere
from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.model.body import Body
from phyzctl.model.model import Model
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import Geom, Inertia, Inertial, Joint, JointKind, Link, Mesh
from phyzctl.robot.mechanism import CompilerSettings
from tests.model.robots import UNIT

TETRAHEDRON = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
FACES = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))


def model_of(*links: Link, settings: CompilerSettings | None = None, **options: Any) -> Model:
    """Links that hang on a world side by side."""
    builder = RobotBuilder("masses", dialect=options.pop("dialect", "mjcf")).link(Link("world"))
    for link in links:
        builder.link(link).joint(Joint(f"to {link.name}", JointKind.FLOATING, "world", link.name))
    for mesh in options.pop("meshes", ()):
        builder.mesh(mesh)
    builder.settings(settings or CompilerSettings())
    return compiler.compile(builder.build(Issues()), **options)


def only(*geoms: Geom, **options: Any) -> Body:
    return model_of(Link("part", geoms=geoms), **options).bodies[0]


def test_an_inertial_is_turned_into_the_body_frame_about_its_com() -> None:
    """A quarter turn about z swaps x and y."""
    quarter = (0.0, 0.0, math.pi / 2)
    stated = Inertial(2.0, Inertia(1.0, 0.1, 0.0, 2.0, 0.0, 3.0), (0.1, 0.2, 0.3), quarter)
    body = model_of(Link("part", stated), dialect="urdf").bodies[0]
    assert body.mass == 2.0
    assert_allclose(body.com, [0.1, 0.2, 0.3])
    assert_allclose(body.inertia, [[2.0, -0.1, 0.0], [-0.1, 1.0, 0.0], [0, 0, 3.0]], atol=1e-15)


@given(st.tuples(*[st.floats(-3.0, 3.0)] * 3), st.tuples(*[st.floats(0.1, 9.0)] * 3))
def test_turning_an_inertia_keeps_its_principal_moments(
    rpy: tuple[float, float, float], moments: tuple[float, float, float]
) -> None:
    xx, yy, zz = moments
    stated = Inertial(1.0, Inertia(xx, 0.0, 0.0, yy, 0.0, zz), rpy=rpy)
    body = model_of(Link("part", stated), dialect="urdf").bodies[0]
    assert_allclose(np.linalg.eigvalsh(body.inertia), sorted(moments), rtol=1e-12)
    assert (body.inertia == body.inertia.T).all()


@pytest.mark.parametrize(
    "stated",
    [
        None,
        Inertial(),
        Inertial(mass=None, inertia=UNIT),
        Inertial(1.0, None, None, None),
        Inertial(math.nan, UNIT),
        Inertial(1.0, Inertia(*[math.nan] * 6)),
    ],
)
def test_what_could_not_be_read_does_not_stop_the_compiler(stated: Inertial | None) -> None:
    body = model_of(Link("part", stated), dialect="urdf").bodies[0]
    expected = 0.0 if stated is None or stated.mass is None else stated.mass
    assert_allclose(body.mass, expected)
    assert body.inertia.shape == (3, 3)


@pytest.mark.parametrize("dialect", ["urdf", None])
def test_only_mjcf_takes_mass_from_geometry(dialect: str | None) -> None:
    assert only(Geom(Sphere(1.0)), dialect=dialect).mass == 0.0
    settings = CompilerSettings(inertia_from_geom=True)
    assert only(Geom(Sphere(1.0)), dialect=dialect, settings=settings).mass > 0.0


# Volume, and principal moments of 1 kg: textbook formulas.
SHAPES = [
    (Sphere(0.5), 4 / 3 * math.pi * 0.125, (0.1, 0.1, 0.1)),
    (Box((1.0, 2.0, 3.0)), 6.0, (13 / 12, 10 / 12, 5 / 12)),
    (Cylinder(1.0, 3.0), 3 * math.pi, (1.0, 1.0, 0.5)),
    (Ellipsoid((1.0, 2.0, 3.0)), 8 * math.pi, (13 / 5, 10 / 5, 5 / 5)),
]


@pytest.mark.parametrize(("shape", "volume", "moments"), SHAPES)
def test_a_shape_weighs_its_volume_at_the_density_of_water(
    shape: Any, volume: float, moments: tuple[float, ...]
) -> None:
    body = only(Geom(shape))
    assert_allclose(body.mass, 1000 * volume)
    assert_allclose(body.inertia, body.mass * np.diag(moments))


def test_a_capsule_is_a_cylinder_and_two_half_balls() -> None:
    """Moments across, by the parallel axis theorem: a half ball's com is 3/8 r from its base."""
    r, half = 0.2, 0.5
    cylinder, ball = math.pi * r * r * 2 * half * 1000, 4 / 3 * math.pi * r**3 * 1000
    about_com = 83 / 320 * r * r  # of a half ball of 1 kg, across
    across = cylinder * (3 * r * r + 4 * half * half) / 12
    across += ball * (about_com + (half + 3 / 8 * r) ** 2)
    body = only(Geom(Capsule(r, 2 * half)))
    assert_allclose(body.mass, cylinder + ball)
    assert_allclose(body.inertia[0, 0], across)


def test_stated_mass_beats_stated_density_beats_water() -> None:
    cube = Box((1.0, 1.0, 1.0))
    assert only(Geom(cube, mass=3.0, density=7.0)).mass == 3.0
    assert only(Geom(cube, density=7.0)).mass == 7.0
    assert only(Geom(cube, density=0.0)).mass == 0.0
    assert only(Geom(cube, mass=0.0)).mass == 0.0


def test_geoms_add_up_by_the_parallel_axis_theorem() -> None:
    """Two point-like balls of 1 and 3 kg, 4 m apart: mu d² = 12 across, nothing along."""
    tiny = Sphere(1e-9)
    body = only(Geom(tiny, mass=1.0), Geom(tiny, mass=3.0, xyz=(4.0, 0.0, 0.0)))
    assert_allclose(body.com, [3.0, 0.0, 0.0])
    assert_allclose(body.inertia, np.diag([0.0, 12.0, 12.0]), atol=1e-12)


def test_what_has_no_volume_has_no_mass() -> None:
    assert only(Geom(Plane()), Geom(None), Geom(Sphere(None)), Geom(MeshShape("none"))).mass == 0.0


def test_a_written_inertial_beats_geoms_unless_told_otherwise() -> None:
    link = Link("part", Inertial(5.0, UNIT), (Geom(Sphere(0.1), mass=1.0),))
    assert model_of(link).bodies[0].mass == 5.0
    for wanted, mass in ((True, 1.0), (False, 5.0)):
        settings = CompilerSettings(inertia_from_geom=wanted)
        assert model_of(link, settings=settings).bodies[0].mass == mass


def test_only_groups_in_the_stated_range_count() -> None:
    geoms = [Geom(Sphere(0.1), mass=2.0**group, group=group) for group in range(6)]
    unstated = Geom(Sphere(0.1), mass=100.0)
    assert only(*geoms, unstated).mass == 163.0
    settings = CompilerSettings(inertia_group_range=(2, 3))
    assert only(*geoms, unstated, settings=settings).mass == 12.0


def test_a_tetrahedron_mesh_has_its_closed_form() -> None:
    """Unit corner tetrahedron: volume 1/6, centroid 1/4 each, moments m (3/80 + 3/80)."""
    mesh = Mesh("corner", vertices=TETRAHEDRON, faces=FACES)
    body = only(Geom(MeshShape("corner")), meshes=[mesh])
    assert_allclose(body.mass, 1000 / 6)
    assert_allclose(body.com, [0.25, 0.25, 0.25])
    assert_allclose(np.diag(body.inertia), body.mass * 3 / 40 * np.ones(3))


def test_a_mesh_is_taken_out_of_its_frame_and_scaled() -> None:
    half_turn = (0.0, 0.0, 0.0, 1.0)  # about z
    mesh = Mesh(
        "corner",
        vertices=TETRAHEDRON,
        faces=FACES,
        scale=(2.0, 2.0, -2.0),
        refpos=(0.25, 0.25, 0.0),
        refquat=half_turn,
    )
    body = only(Geom(MeshShape("corner")), meshes=[mesh])
    assert_allclose(body.mass, 8000 / 6)
    assert_allclose(body.com, [0.0, 0.0, -0.5], atol=1e-15)


def test_bounds_lift_mass_and_principal_moments() -> None:
    light = Link("part", Inertial(1e-6, Inertia(1e-9, 0.0, 0.0, 1e-9, 0.0, 4.0)))
    settings = CompilerSettings(bound_mass=0.01, bound_inertia=1e-4)
    body = model_of(light, settings=settings).bodies[0]
    assert body.mass == 0.01
    assert_allclose(np.linalg.eigvalsh(body.inertia), [1e-4, 1e-4, 4.0])


def test_balancing_replaces_impossible_moments_by_their_mean() -> None:
    impossible, possible = Inertia(1.0, 0, 0, 1.0, 0, 4.0), Inertia(3.0, 0, 0, 4.0, 0, 5.0)
    links = Link("bad", Inertial(1.0, impossible)), Link("good", Inertial(1.0, possible))
    model = model_of(*links, settings=CompilerSettings(balance_inertia=True))
    assert_allclose(model.bodies[0].inertia, 2.0 * np.eye(3))
    assert_allclose(model.bodies[1].inertia, np.diag([3.0, 4.0, 5.0]))


def test_a_total_mass_scales_everything() -> None:
    links = Link("a", Inertial(1.0, UNIT)), Link("b", Inertial(3.0, UNIT))
    model = model_of(*links, settings=CompilerSettings(total_mass=8.0))
    assert [body.mass for body in model.bodies] == [2.0, 6.0]
    assert_allclose(model.bodies[1].inertia, 2.0 * np.eye(3))


def test_arrays_of_a_body_are_read_only() -> None:
    body = only(Geom(Sphere(1.0)))
    for array in (body.com, body.inertia, body.X_PB, body.quat):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0
