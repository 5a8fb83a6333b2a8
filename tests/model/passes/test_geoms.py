"""Geoms and sites: sizes for the kernel, masks, surfaces, fitted shapes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from phyzctl.geometry.shapes import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    HeightfieldShape,
    MeshShape,
    Plane,
    Sphere,
)
from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.model.geom import Geom, GeomType
from phyzctl.model.material import ContactMaterial
from phyzctl.robot import elements
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import GeomRole, Link, Mesh, Site, Surface
from phyzctl.robot.mechanism import Heightfield
from tests.model.passes.test_masses import FACES


def only(geom: elements.Geom, dialect: str | None = None, *meshes: Mesh) -> Geom:
    builder = RobotBuilder("geoms", dialect=dialect).link(Link("part", geoms=(geom,)))
    for mesh in meshes:
        builder.mesh(mesh)
    return compiler.compile(builder.build(Issues())).geoms[0]


@pytest.mark.parametrize(
    ("shape", "kind", "size"),
    [
        (Sphere(0.5), GeomType.SPHERE, (0.5, 0, 0)),
        (Capsule(0.5, 3.0), GeomType.CAPSULE, (0.5, 1.5, 0)),
        (Cylinder(0.5, 3.0), GeomType.CYLINDER, (0.5, 1.5, 0)),
        (Box((1.0, 2.0, 3.0)), GeomType.BOX, (0.5, 1.0, 1.5)),
        (Ellipsoid((1.0, 2.0, 3.0)), GeomType.ELLIPSOID, (1.0, 2.0, 3.0)),
        (Plane(), GeomType.PLANE, (0, 0, 0)),
        (None, GeomType.UNKNOWN, (0, 0, 0)),
        (Sphere(None), GeomType.UNKNOWN, (0, 0, 0)),
        (Box(None), GeomType.UNKNOWN, (0, 0, 0)),
    ],
)
def test_sizes_are_radii_and_half_lengths(shape: Any, kind: GeomType, size: Any) -> None:
    geom = only(elements.Geom(shape))
    assert (geom.type, geom.size) == (kind, size)


def test_assets_are_known_by_their_type() -> None:
    mesh = Mesh("m", vertices=((0, 0, 0),), faces=())
    assert only(elements.Geom(MeshShape("m")), None, mesh).type is GeomType.MESH
    builder = RobotBuilder("r").link(Link("l", geoms=(elements.Geom(HeightfieldShape("h")),)))
    builder.heightfield(Heightfield("h", size=(1.0, 1.0, 1.0, 0.1), rows=2, columns=2))
    assert compiler.compile(builder.build()).geoms[0].type is GeomType.HEIGHTFIELD


def test_the_pose_is_that_in_the_body() -> None:
    geom = only(elements.Geom(Sphere(1.0), xyz=(1.0, 2.0, 3.0), rpy=(0.0, 0.0, np.pi / 2)))
    expected = [[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]]
    assert_allclose(geom.X_BG, expected, atol=1e-15)


@pytest.mark.parametrize(
    ("role", "surface", "masks"),
    [
        (GeomRole.COLLISION, None, (1, 1)),
        (GeomRole.BOTH, None, (1, 1)),
        (GeomRole.VISUAL, None, (0, 0)),
        (GeomRole.BOTH, Surface(contype=2), (2, 1)),
        (GeomRole.VISUAL, Surface(contype=0, conaffinity=0), (0, 0)),
    ],
)
def test_masks_follow_the_role_where_they_are_not_stated(
    role: GeomRole, surface: Surface | None, masks: tuple[int, int]
) -> None:
    geom = only(elements.Geom(Sphere(1.0), role=role, surface=surface), "mjcf")
    assert (geom.contype, geom.conaffinity) == masks
    assert geom.collides == any(masks)


def test_an_mjcf_geom_has_mujocos_defaults_for_what_it_leaves_out() -> None:
    material = only(elements.Geom(Sphere(1.0), surface=Surface(friction=(0.7,))), "mjcf").material
    assert material is not None
    frictions = (material.friction, material.torsional_friction, material.rolling_friction)
    assert frictions == (0.7, 0.005, 0.0001)
    assert (material.margin, material.condim, material.solref) == (0.0, 3, (0.02, 1.0))
    assert material.solimp == (0.9, 0.95, 0.001, 0.5, 2.0)


def test_a_geom_elsewhere_leaves_its_material_to_body_and_scene() -> None:
    assert only(elements.Geom(Sphere(1.0)), "urdf").material is None
    stated = only(elements.Geom(Sphere(1.0), surface=Surface(margin=0.01)), "urdf").material
    assert stated == ContactMaterial(margin=0.01)


def test_short_lists_are_completed_and_long_ones_cut() -> None:
    surface = Surface(solimp=(0.8,), solref=(0.01, 0.5, 9.0))
    material = only(elements.Geom(Sphere(1.0), surface=surface), "mjcf").material
    assert material is not None
    assert material.solimp == (0.8, 0.95, 0.001, 0.5, 2.0)
    assert material.solref == (0.01, 0.5)


def test_sites_know_their_body() -> None:
    site = Site("tip", xyz=(0.0, 0.0, 0.5))
    builder = RobotBuilder("r").link(Link("world", sites=(Site("mark"),)))
    builder.joint(elements.Joint("j", elements.JointKind.FIXED, "world", "arm")).site("arm", site)
    sites = compiler.compile(builder.build()).sites
    assert [(site.name, site.body) for site in sites] == [("mark", -1), ("tip", 0)]
    assert sites[1].X_BS[2, 3] == 0.5


def cuboid(x: float, y: float, z: float) -> Mesh:
    """A box of these half sides, as a mesh."""
    corners = [(sx * x, sy * y, sz * z) for sx in (-1, 1) for sy in (-1, 1) for sz in (-1, 1)]
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [face for a, b, c, d in quads for face in ((a, b, c), (a, c, d))]
    return Mesh("cuboid", vertices=tuple(corners), faces=tuple(faces))


@pytest.mark.parametrize(
    ("kind", "kind_type", "size"),
    [
        (Box(None), GeomType.BOX, (0.1, 0.2, 0.3)),
        (Ellipsoid(None), GeomType.ELLIPSOID, (0.1, 0.2, 0.3)),
        (Sphere(None), GeomType.SPHERE, (0.2, 0.0, 0.0)),
        (Cylinder(None, None), GeomType.CYLINDER, (0.15, 0.3, 0.0)),
        (Capsule(None, None), GeomType.CAPSULE, (0.15, 0.225, 0.0)),
    ],
)
def test_a_shape_is_fitted_to_the_inertia_box_of_a_mesh(
    kind: Any, kind_type: GeomType, size: tuple[float, ...]
) -> None:
    """The mesh is a box, so that its inertia box is itself; its longest side lies along y."""
    geom = only(elements.Geom(kind, fit_mesh="cuboid"), "mjcf", cuboid(0.2, 0.3, 0.1))
    assert geom.type is kind_type
    assert_allclose(geom.size, size, atol=1e-12)
    assert_allclose(np.abs(geom.X_BG[:3, 2]), [0.0, 1.0, 0.0], atol=1e-12)


def test_a_fitted_shape_is_scaled_and_stands_at_the_com_of_the_mesh() -> None:
    mesh = Mesh("corner", vertices=((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)), faces=FACES)
    geom = elements.Geom(Sphere(None), fit_mesh="corner", fit_scale=2.0, xyz=(1.0, 0.0, 0.0))
    fitted = only(geom, "mjcf", mesh)
    assert_allclose(fitted.X_BG[:3, 3], [1.25, 0.25, 0.25])
    # Of 1 kg: 3/40 on the diagonal and 1/80 off it, so principally 3/40 + 2/80 once and
    # 3/40 - 1/80 twice, whose sum is 9/40.
    half = np.sqrt(1.5 * (0.225 - 2.0 * np.array([4, 2.5, 2.5]) / 40))
    assert_allclose(fitted.size[0], 2.0 * half.mean())
