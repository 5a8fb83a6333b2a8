"""Hulls of a Model's meshes: made once a mesh, and why one can't be had."""

from __future__ import annotations

import numpy as np
import pytest

from phyzctl.geometry.shapes import MeshShape, Sphere
from phyzctl.model import compiler
from phyzctl.model.model import Model
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import Geom, GeomRole, Link, Mesh

CUBE = tuple((x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0))


def model(*meshes: Mesh, role: GeomRole = GeomRole.COLLISION) -> Model:
    builder = RobotBuilder("meshed")
    for mesh in meshes:
        builder.mesh(mesh)
    geoms = [Geom(MeshShape(mesh.name), name=mesh.name, role=role) for mesh in meshes]
    again = Geom(MeshShape(meshes[0].name), name="again", role=role)
    builder.link(Link("a", geoms=(Geom(Sphere(0.1)), *geoms, again)))
    return compiler.compile(builder.build(), base="fixed")


def test_a_mesh_has_one_hull_wherever_it_is_used() -> None:
    found = model(Mesh("cube", vertices=(*CUBE, (0.0, 0.0, 0.0)))).hulls
    assert found.index.tolist() == [-1, 0, 0]
    assert found.hulls[0].volume == pytest.approx(8.0)
    assert len(found.hulls[0].vertices) == 8
    assert found.ratios == (None,)  # a cloud encloses nothing
    assert found.missing == {}


def test_scale_counts() -> None:
    found = model(Mesh("cube", vertices=CUBE, scale=(0.5, 1.0, -2.0))).hulls
    np.testing.assert_allclose(np.ptp(found.hulls[0].vertices, axis=0), [1.0, 2.0, 4.0])


def test_what_a_hull_adds_is_told() -> None:
    """Two of a tetrahedron's faces, folded in: the hull is the tetrahedron, of volume 1/6."""
    corners = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    dent = (0.25, 0.25, 0.25)
    faces = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 4), (2, 3, 4), (3, 1, 4))
    found = model(Mesh("dented", vertices=(*corners, dent), faces=faces)).hulls
    assert found.ratios[0] == pytest.approx((1 / 6) / (1 / 6 - 1 / 24))


def test_what_is_only_drawn_needs_none() -> None:
    found = model(Mesh("cube", vertices=CUBE), role=GeomRole.VISUAL).hulls
    assert (found.hulls, found.index.tolist()) == ((), [-1, -1, -1])


def test_why_there_is_none() -> None:
    found = model(Mesh("gone", uri="gone.stl"), Mesh("cube", vertices=CUBE)).hulls
    assert found.index.tolist() == [-1, -1, 0, -1]
    assert found.missing == {1: "its file is missing", 3: "its file is missing"}
