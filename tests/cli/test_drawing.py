"""Robots as triangles: closed forms, MuJoCo's own poses, and robots of which much is missing."""

from __future__ import annotations

import math
from pathlib import Path

import mujoco
import numpy as np
import pytest
from numpy.typing import NDArray

import phyzctl
from phyzctl.cli.choices import Choices
from phyzctl.cli.drawing import MOST, drawn, scene
from phyzctl.cli.targets import Target
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
from phyzctl.issues import Issue, Issues, Severity, Source
from phyzctl.report.report import Part
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import Geom, GeomRole, Link, Mesh
from tests.cli.conftest import BAD, GOOD, Cli
from tests.corpus import SAMPLES
from tests.report import cases

Array = NDArray[np.float64]


def one(shape: Shape | None, **placed: object) -> list[Part]:
    robot = RobotBuilder("r").link(Link("a", geoms=(Geom(shape, **placed),))).build(Issues())  # type: ignore[arg-type]
    return list(scene(robot).parts)


def volume(part: Part) -> float:
    """Of a closed surface, by the divergence theorem; negative when wound inwards."""
    v, f = np.array(part.vertices), np.array(part.faces)
    return float(np.einsum("ij,ij->i", v[f[:, 0]], np.cross(v[f[:, 1]], v[f[:, 2]])).sum() / 6.0)


# What the volume is, and how much of it the flat sides of a drawing may lose.
SOLIDS: dict[str, tuple[Shape, float, float]] = {
    "box": (Box((1.0, 2.0, 3.0)), 6.0, 1e-12),
    "cylinder": (Cylinder(0.5, 2.0), math.pi * 0.5, 0.03),
    "sphere": (Sphere(0.5), math.pi / 6.0, 0.06),
    "ellipsoid": (Ellipsoid((1.0, 2.0, 0.5)), 4.0 / 3.0 * math.pi, 0.06),
    "capsule": (Capsule(0.5, 2.0), math.pi * (0.5 + 1.0 / 6.0), 0.05),
}


@pytest.mark.parametrize(("shape", "expected", "loss"), SOLIDS.values(), ids=SOLIDS)
def test_solids_are_closed_and_wound_outwards(shape: Shape, expected: float, loss: float) -> None:
    (part,) = one(shape, xyz=(5.0, -3.0, 2.0), rpy=(0.3, 1.0, -2.0))
    assert expected * (1.0 - loss) - 1e-12 <= volume(part) <= expected * (1.0 + 1e-9)


@pytest.mark.parametrize(
    "shape",
    [
        None,
        Plane(),
        Sphere(None),
        Sphere(-1.0),
        Sphere(math.inf),
        Box((1.0, math.nan, 1.0)),
        Cylinder(1.0, None),
        MeshShape("nowhere"),
    ],
)
def test_what_has_no_end_or_no_size_is_left_out(shape: Shape | None) -> None:
    assert one(shape) == []


@pytest.mark.parametrize("xyz", [None, (math.nan, 0.0, 0.0)])
def test_what_is_nowhere_is_left_out(xyz: tuple[float, float, float] | None) -> None:
    assert one(Sphere(1.0), xyz=xyz) == []


def test_roles_are_told() -> None:
    for role in GeomRole:
        assert one(Sphere(1.0), role=role)[0].role == role.value


def test_a_mesh_is_its_hull_placed_as_it_is_compiled() -> None:
    corners = [(x, y, z) for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)]
    inside = [(0.5, 0.5, 0.5)]
    mesh = Mesh("cube", vertices=(*corners, *inside), scale=(2.0, 1.0, 1.0))
    robot = (
        RobotBuilder("r")
        .mesh(mesh)
        .link(Link("a", geoms=(Geom(MeshShape("cube"), xyz=(1.0, 0.0, 0.0)),)))
        .build()
    )
    (part,) = scene(robot).parts
    found = sorted(tuple(vertex) for vertex in part.vertices)
    assert found == sorted((1.0 + 2.0 * x, y, z) for x, y, z in corners)
    assert volume(part) == pytest.approx(2.0)


@pytest.mark.parametrize("name", ["quadruped.xml", "six_axis_arm.xml"])
def test_shapes_are_where_mujoco_has_them(name: str) -> None:
    path = SAMPLES / name
    reference = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(reference)
    data.qpos[:] = reference.qpos0
    mujoco.mj_kinematics(reference, data)
    kinds = (mujoco.mjtGeom.mjGEOM_PLANE, mujoco.mjtGeom.mjGEOM_MESH)
    drawable = [i for i in range(reference.ngeom) if reference.geom_type[i] not in kinds]
    expected = sorted(tuple(np.round(data.geom_xpos[i], 6) + 0.0) for i in drawable)
    parts = scene(phyzctl.load(path, issues=Issues())).parts
    centres = [0.5 * (np.max(p.vertices, axis=0) + np.min(p.vertices, axis=0)) for p in parts]
    found = sorted(tuple(np.round(centre, 6) + 0.0) for centre in centres)
    assert np.allclose(found, expected, atol=2e-3)  # a circle of twenty corners has no exact middle


def test_joints_and_what_messages_call_things() -> None:
    found = scene(phyzctl.load(SAMPLES / "six_axis_arm.urdf"))
    robot = phyzctl.load(SAMPLES / "six_axis_arm.urdf")
    assert list(found.joints) == [joint.name for joint in robot.joints]
    for at, axis in found.joints.values():
        assert np.isfinite(at).all()
        assert axis is None or np.linalg.norm(axis) == pytest.approx(1.0)
    for joint in robot.joints:
        parts, names = found.subjects[f"joint {joint.name!r}"]
        assert names == [joint.name]
        assert {found.parts[index].link for index in parts} <= {joint.child}
    for index, part in enumerate(found.parts):
        assert index in found.subjects[f"link {part.link!r}"][0]


@pytest.mark.parametrize(
    "path", sorted((SAMPLES / "broken").rglob("*.*")), ids=lambda path: path.name
)
def test_broken_robots_are_drawn_as_far_as_they_go(path: Path) -> None:
    for found in drawn([Target(str(path))], [], Choices()).values():
        for part in found.parts:
            assert np.isfinite(part.vertices).all()
            assert np.max(part.faces) < len(part.vertices)


def test_of_many_robots_those_with_findings_are_drawn(workspace: Path) -> None:
    targets = []
    for index in range(MOST + 5):
        path = workspace / f"{index}.urdf"
        path.write_text(GOOD)
        targets.append(Target(str(path)))
    issue = Issue(cases.LIMIT, Severity.ERROR, "x", Source(targets[-1].path, 1, 1))
    assert list(drawn(targets, [issue], Choices())) == [targets[-1].path]
    assert len(drawn(targets[:MOST], [], Choices())) == MOST


# The report


def test_a_report_has_the_robots_in_it(cli: Cli, robots: Path) -> None:
    code, out, err = cli("validate", ".", "--format", "html")
    assert (code, err) == (1, "")
    assert out.startswith("<!DOCTYPE html>")
    assert '"path":"bad.urdf"' in out
    assert "bad.urdf:8:12" in out
    cli("validate", ".", "--output", "html=report.html")
    assert (robots / "report.html").read_text("utf-8") == out


def test_a_robot_through_stdin_is_drawn_too(cli: Cli, workspace: Path) -> None:
    out = cli("validate", "-", "--stdin-filename=a.urdf", "-f", "html", stdin=BAD.encode()).out
    assert '"path":"a.urdf"' in out
