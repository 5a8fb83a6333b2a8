"""Meshes that MuJoCo can't load are written so that it can, and mean the same."""

from __future__ import annotations

import builtins
from dataclasses import replace
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

import phyzctl
from phyzctl.formats import WriteOptions, write
from phyzctl.formats.mjcf.write_meshes import loads, obj_text
from phyzctl.geometry.mesh import load_mesh
from phyzctl.geometry.meshdata import MeshData
from phyzctl.issues import Issue
from phyzctl.robot.elements import Mesh
from phyzctl.robot.robot import Robot

CORNERS = np.array([(0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (0.0, 0.2, 0.0), (0.0, 0.0, 1 / 3)])
FACES = np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)], dtype=np.int32)

DAE = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="{meter}" name="u"/><up_axis>{up}</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="12">{numbers}</float_array><technique_common>
<accessor source="#a" count="4" stride="3"><param name="X" type="float"/><param name="Y"
type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/>
<p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>
"""


def dae(meter: float = 1.0, up: str = "Z_UP") -> bytes:
    numbers = " ".join(map(repr, CORNERS.ravel().tolist()))
    return DAE.format(meter=meter, up=up, numbers=numbers).encode()


def ascii_stl() -> bytes:
    facets = "".join(
        "facet normal 0 0 0 outer loop "
        + "".join("vertex {} {} {} ".format(*CORNERS[corner]) for corner in face)
        + "endloop endfacet\n"
        for face in FACES
    )
    return f"solid s\n{facets}endsolid s\n".encode()


def binary_stl(faces: int = 4) -> bytes:
    facet = np.zeros(faces, np.dtype([("n", "<f4", 3), ("c", "<f4", (3, 3)), ("a", "<u2")]))
    facet["c"] = np.resize(CORNERS[FACES], (faces, 3, 3))
    return b"solid".ljust(80) + faces.to_bytes(4, "little") + facet.tobytes()


def two_objects() -> bytes:
    lines = [f"v {x} {y} {z}" for x, y, z in CORNERS.tolist()]
    faces = [f"f {a} {b} {c}" for a, b, c in (FACES + 1).tolist()]
    return "\n".join([*lines, "o one", *faces[:3], "o two", faces[3]]).encode()


def off() -> bytes:
    rows = [*CORNERS.tolist(), *[(3, *face) for face in FACES.tolist()]]
    return "\n".join(["OFF", "4 4 6", *[" ".join(map(str, row)) for row in rows]]).encode()


CONVERTED = {"look.dae": dae(), "look.STL": ascii_stl(), "look.obj": two_objects(), "a.off": off()}
LEFT_ALONE = {"look.stl": binary_stl(), "look.obj": obj_text(MeshData(CORNERS, FACES))}


def robot_with(folder: Path, name: str, data: bytes) -> Robot:
    (folder / "in").mkdir(exist_ok=True)
    (folder / "in" / name).write_bytes(data)
    geometry = f'<geometry><mesh filename="{name}" scale="2 2 2"/></geometry>'
    (folder / "in/r.urdf").write_text(
        f'<robot name="r"><link name="base"><collision>{geometry}</collision>'
        '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
        "</inertial></link></robot>"
    )
    return phyzctl.load(folder / "in/r.urdf")


def saved(folder: Path, robot: Robot) -> list[Issue]:
    (folder / "out").mkdir(exist_ok=True)
    return phyzctl.save(robot, folder / "out/r.xml")


@pytest.mark.parametrize(("name", "data"), CONVERTED.items(), ids=CONVERTED)
def test_a_mesh_is_converted_and_mujoco_sees_its_corners(
    tmp_path: Path, name: str, data: bytes
) -> None:
    losses = saved(tmp_path, robot_with(tmp_path, name, data))
    assert [loss.code.id for loss in losses] == ["L014"]
    assert losses[0].source is not None
    (file,) = (tmp_path / "out/meshes").iterdir()
    assert file.suffix == ".obj"
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "out/r.xml"))
    seen = model.mesh_vert[model.mesh_vertadr[0] :][: model.mesh_vertnum[0]]
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, model.mesh_quat[0])
    corners = seen @ R.reshape(3, 3).T + model.mesh_pos[0]
    wanted = 2.0 * CORNERS
    gaps = np.linalg.norm(corners[:, None] - wanted[None], axis=2)
    assert gaps.min(axis=0).max() < 1e-6
    assert gaps.min(axis=1).max() < 1e-6


@pytest.mark.parametrize(("name", "data"), CONVERTED.items(), ids=CONVERTED)
def test_what_is_converted_reads_back_as_the_same_mesh(
    tmp_path: Path, name: str, data: bytes
) -> None:
    robot = robot_with(tmp_path, name, data)
    saved(tmp_path, robot)
    (mesh,) = phyzctl.load(tmp_path / "out/r.xml").meshes
    assert mesh.scale == (2.0, 2.0, 2.0)
    ours, theirs = load_mesh(mesh.file or ""), load_mesh(robot.meshes[0].file or "")
    np.testing.assert_array_equal(ours.vertices, theirs.vertices)
    np.testing.assert_array_equal(ours.faces, theirs.faces)


@pytest.mark.parametrize(("name", "data"), LEFT_ALONE.items(), ids=LEFT_ALONE)
def test_a_mesh_that_mujoco_loads_stays_where_it_is(tmp_path: Path, name: str, data: bytes) -> None:
    assert saved(tmp_path, robot_with(tmp_path, name, data)) == []
    assert not (tmp_path / "out/meshes").exists()
    assert f'file="../in/{name}"' in (tmp_path / "out/r.xml").read_text()


@pytest.mark.parametrize(
    ("up", "turned"),
    [("Z_UP", (0, 1, 2)), ("Y_UP", (0, -2, 1)), ("X_UP", (-1, -2, 0))],
)
def test_units_and_the_up_axis_are_applied(
    tmp_path: Path, up: str, turned: tuple[int, int, int]
) -> None:
    saved(tmp_path, robot_with(tmp_path, "look.dae", dae(0.001, up)))
    (file,) = (tmp_path / "out/meshes").iterdir()
    lowest, highest = load_mesh(file).extent
    x, y, z = 0.1, 0.2, 1 / 3
    size = {"Z_UP": (x, y, z), "Y_UP": (x, z, y), "X_UP": (y, z, x)}[up]
    np.testing.assert_allclose(highest - lowest, np.array(size) / 1000, rtol=1e-6)
    assert sum(sign < 0 for sign in turned) == int((lowest < -1e-9).sum())


def test_too_many_faces_for_mujoco(tmp_path: Path) -> None:
    path = tmp_path / "many.stl"
    for faces, fits in ((200_000, True), (200_001, False)):
        path.write_bytes(binary_stl(faces))
        assert loads(Mesh("many", "many.stl", file=str(path)), "many.stl") is fits


def test_two_robots_in_one_folder_keep_their_meshes(tmp_path: Path) -> None:
    for meter in (1.0, 0.5, 1.0):
        saved(tmp_path, robot_with(tmp_path, "look.dae", dae(meter)))
    assert len(list((tmp_path / "out/meshes").iterdir())) == 2


def test_a_mesh_that_cannot_be_read_is_a_loss(tmp_path: Path) -> None:
    (loss, left_out) = saved(tmp_path, robot_with(tmp_path, "look.dae", b"<COLLADA/>"))
    assert loss.code.id == left_out.code.id == "L007"
    assert "can't be converted for MuJoCo" in loss.message
    assert mujoco.MjModel.from_xml_path(str(tmp_path / "out/r.xml")).ngeom == 0


def test_without_the_extra_it_is_a_loss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    robot = robot_with(tmp_path, "look.dae", dae())
    usual = builtins.__import__

    def without_trimesh(name: str, *rest: Any, **named: Any) -> Any:
        if name.startswith("trimesh"):
            raise ImportError(name)
        return usual(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without_trimesh)
    losses = saved(tmp_path, robot)
    assert {loss.code.id for loss in losses} == {"L007"}
    assert any("pip install 'phyzctl[mesh]'" in loss.message for loss in losses)


def test_a_text_alone_has_no_files(tmp_path: Path) -> None:
    robot = robot_with(tmp_path, "look.dae", dae())
    written = write(robot, "mjcf", WriteOptions(str(tmp_path)))
    assert not written.files
    assert [loss.code.id for loss in written.losses] == ["L007"]


def test_names_that_are_no_file_names(tmp_path: Path) -> None:
    robot = robot_with(tmp_path, "look.dae", dae())
    mesh = replace(robot.meshes[0], name="../../a:b")
    link = robot.links[0]
    shape = phyzctl.MeshShape("../../a:b")
    geoms = tuple(replace(geom, shape=shape) for geom in link.geoms)
    robot = replace(robot, meshes=(mesh,), links=(replace(link, geoms=geoms),))
    saved(tmp_path, robot)
    (file,) = (tmp_path / "out/meshes").iterdir()
    assert file.name.startswith(".._.._a_b-")
