"""Outlines: the kernel's shapes of a model's geoms, their radii, and meshes as hulls."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from phyzctl import formats, native
from phyzctl.exclude.shapes import outlines
from phyzctl.issues import Issues
from phyzctl.model import compiler
from tests.exclude.robots import mjcf, model_of

TETRAHEDRON = "0 0 0 1 0 0 0 1 0 0 0 1"


@pytest.mark.parametrize(
    ("geom", "radius"),
    [
        ('type="sphere" size="0.3"', 0.3),
        ('type="capsule" size="0.1 0.4"', 0.5),
        ('type="cylinder" size="0.3 0.4"', 0.5),
        ('type="box" size="0.2 0.3 0.6"', 0.7),
        ('type="ellipsoid" size="0.2 0.5 0.3"', 0.5),
        ('type="mesh" mesh="m"', 0.5 * np.sqrt(3.0)),
        ('type="plane" size="1 1 1"', 0.0),
    ],
)
def test_radii_hold_the_shapes(geom: str, radius: float) -> None:
    mesh = f'<asset><mesh name="m" vertex="{TETRAHEDRON}"/></asset>'
    body = f'<geom {geom}/><body><freejoint/><geom size="1"/></body>'
    assert outlines(model_of(mjcf(body, mesh))).radii[0] == pytest.approx(radius)


def test_meshes_are_compared_where_their_geoms_put_them() -> None:
    """The tetrahedron's corner on the x axis, 0.5 m from a ball of 0.1 m."""
    mesh = f'<asset><mesh name="m" vertex="{TETRAHEDRON}" scale="2 1 1"/></asset>'
    body = (
        '<body><joint/><geom type="mesh" mesh="m" pos="0 1 0" quat="0 0 0 1"/></body>'
        '<body pos="-2.6 1 0"><joint/><geom size="0.1"/></body>'
    )
    model = model_of(mjcf(body, mesh))
    poses = native.kinematics(model.system, np.zeros((1, 2))).geoms
    pair = np.array([[0, 1]], dtype=np.int32)
    found = native.distances(outlines(model).shapes, poses, pair)
    assert found.distance[0, 0] == pytest.approx(0.5, abs=1e-9)


def test_a_mesh_that_several_bodies_use_is_told_of_each() -> None:
    mesh = f'<asset><mesh name="m" vertex="{TETRAHEDRON}"/></asset>'
    body = "".join(
        f'<body name="{name}"><freejoint/><geom type="mesh" mesh="m"/></body>' for name in "ab"
    )
    found = outlines(model_of(mjcf(body, mesh)))
    assert [(hull.body, hull.mesh) for hull in found.hulls] == [("a", "m"), ("b", "m")]
    assert found.missing == {}


def test_what_is_only_drawn_is_not_opened(tmp_path: Path) -> None:
    """The visual mesh is broken, and nobody cares."""
    (tmp_path / "broken.stl").write_bytes(b"solid")
    path = tmp_path / "robot.urdf"
    path.write_text(
        '<robot name="r"><link name="a"><visual><geometry><mesh filename="broken.stl"/></geometry>'
        '</visual><collision><geometry><sphere radius="1"/></geometry></collision></link></robot>'
    )
    robot = formats.read(str(path), Issues()).robot
    assert robot is not None
    found = outlines(compiler.compile(robot))
    assert found.missing == {}
    assert found.hulls == ()


def test_a_mesh_that_can_not_be_read_is_missing_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "broken.stl").write_bytes(b"solid")
    path = tmp_path / "robot.urdf"
    path.write_text(
        '<robot name="r"><link name="a"><collision><geometry><mesh filename="broken.stl"/>'
        "</geometry></collision></link></robot>"
    )
    robot = formats.read(str(path), Issues()).robot
    assert robot is not None
    found = outlines(compiler.compile(robot))
    assert list(found.missing) == [0]
    assert found.missing[0]


@pytest.mark.parametrize("size", ["-0.1", "0.1 -0.2"])
def test_a_size_that_no_shape_can_have_is_left_out(size: str) -> None:
    kind = "sphere" if " " not in size else "capsule"
    text = mjcf(f'<body><geom type="{kind}" size="{size}"/></body>')
    robot = formats.read_bytes(text.encode(), "r.xml", Issues()).robot
    assert robot is not None
    found = outlines(compiler.compile(robot))
    assert found.missing == {0: "its size is negative or not a number"}
