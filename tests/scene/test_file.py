"""Scene files: what they mean, every fault with its place, and the schema in step."""

from __future__ import annotations

import json
import math
import shutil
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

from phyzctl.errors import NotFoundError, UnreadableError
from phyzctl.geometry.hull import ConvexHull
from phyzctl.geometry.shapes import Box, Capsule, Cylinder, Ellipsoid, Plane, Sphere
from phyzctl.issues import Issues
from phyzctl.scene.exclusions import AttachedId, ObstacleId, RobotShape
from phyzctl.scene.file import SCHEMA, Scene, load_scene, parse_scene
from phyzctl.spatial import pose
from tests.corpus import ROOT, SAMPLES
from tests.scene.robots import slider_rail

SCENES = sorted((SAMPLES / "scenes").glob("*.toml"))

BALL = 'shape = "sphere"\nradius = 0.1\n'

FULL = """\
schema = "phyzctl.scene/1"
name = "all keys"
margin = 0.01

[[obstacles]]
id = "ball"
shape = "sphere"
radius = 0.1
xyz = [1, 2, 3]
padding = 0.05

[[obstacles]]
id = "pill"
shape = "capsule"
radius = 0.1
length = 0.3
rpy = [0, 0, 1]

[[obstacles]]
id = "can"
shape = "cylinder"
radius = 0.1
length = 0.3
quat = [2, 0, 0, 0]

[[obstacles]]
id = "crate"
shape = "box"
size = [1, 2, 3]

[[obstacles]]
id = "egg"
shape = "ellipsoid"
radii = [1, 2, 3]

[[obstacles]]
id = "ground"
shape = "half-space"
xyz = [0, 0, -5]

[[obstacles]]
id = "wedge"
shape = "mesh"
file = "wedge.obj"
scale = [1, 1, -2]

[[obstacles]]
id = "swing"
robot = "swing.urdf"
positions = { turn = 1.5707963267948966 }
xyz = [0, 0, 7]

[[attached]]
id = "cup"
frame = "l1"
shape = "box"
size = [0.1, 0.1, 0.1]
xyz = [0, 0, 0.5]
padding = 0.002
touch_links = ["l1", "l0"]

[[attached]]
id = "lid"
shape = "sphere"
radius = 0.01

[[exclusions]]
attached = "cup"
obstacle = "ball"

[[exclusions]]
attached = "cup"
link = "l1"

[[exclusions]]
attached = "cup"
robot_shape = 0

[[exclusions]]
attached = "cup"
other = "lid"
"""

WEDGE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n"
SWING = """\
<robot name="swing">
  <link name="post"/>
  <link name="arm">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><sphere radius="9"/></geometry></visual>
    <collision><origin xyz="1 0 0"/><geometry><sphere radius="0.2"/></geometry></collision>
    <collision><origin xyz="2 0 0"/><geometry><mesh filename="wedge.obj"/></geometry></collision>
  </link>
  <joint name="turn" type="continuous"><parent link="post"/><child link="arm"/>
    <axis xyz="0 0 1"/></joint>
</robot>
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "wedge.obj").write_text(WEDGE)
    (tmp_path / "swing.urdf").write_text(SWING)
    (tmp_path / "bad.obj").write_text("v 0 0\n")
    (tmp_path / "bad.urdf").write_text("<robot name='x'><link name='a'/><link name='a'/></robot>")
    (tmp_path / "bare.urdf").write_text("<robot name='x'><link name='a'/></robot>")
    hollow = SWING.replace("wedge.obj", "gone.obj")
    (tmp_path / "hollow.urdf").write_text(hollow)
    return tmp_path


def parse(text: str, folder: Path) -> tuple[Scene | None, list[str]]:
    issues = Issues()
    scene = parse_scene(text.encode(), str(folder / "s.toml"), issues)
    return scene, [str(issue).replace(f"{folder}/", "") for issue in issues]


def sound(text: str, folder: Path) -> Scene:
    scene, said = parse(text, folder)
    assert said == []
    assert scene is not None
    return scene


def test_all_keys(folder: Path) -> None:
    scene = sound(FULL, folder)
    assert (scene.name, scene.margin) == ("all keys", 0.01)
    ids = ["ball", "pill", "can", "crate", "egg", "ground", "wedge", "swing", "swing"]
    assert scene.planning.obstacle_ids == ids
    obstacles = scene.planning.obstacles
    assert [each.shape for each in obstacles[:6]] == [
        Sphere(0.1),
        Capsule(0.1, 0.3),
        Cylinder(0.1, 0.3),
        Box((1.0, 2.0, 3.0)),
        Ellipsoid((1.0, 2.0, 3.0)),
        Plane(),
    ]
    np.testing.assert_allclose(obstacles[0].X_WO, pose(xyz=(1, 2, 3)))
    np.testing.assert_allclose(obstacles[1].X_WO, pose(rpy=(0, 0, 1)))
    np.testing.assert_allclose(obstacles[2].X_WO, np.eye(4))
    assert [each.padding for each in obstacles[:2]] == [0.05, 0.0]
    wedge = obstacles[6].shape
    assert isinstance(wedge, ConvexHull)
    assert wedge.vertices[:, 2].min() == -2.0
    assert scene.attached[0].frame == "l1"
    assert scene.attached[0].touch_links == ("l1", "l0")
    assert scene.attached[0].padding == 0.002
    assert scene.attached[1].frame is None
    partners = [pair.partner for pair in scene.exclusions]
    assert partners == [ObstacleId("ball"), RobotShape("l1"), RobotShape(0), AttachedId("lid")]
    lines = [source.line for source in scene.obstacle_sources]
    assert lines == [5, 12, 19, 26, 31, 36, 41, 47, 47]
    assert [source.line for source in scene.attached_sources] == [53, 62]


def test_robots_as_obstacles(folder: Path) -> None:
    scene = sound(FULL, folder)
    ball, mesh = scene.planning.obstacles[-2:]
    assert ball.shape == Sphere(0.2)
    assert isinstance(mesh.shape, ConvexHull)
    assert (ball.label, mesh.label) == ("arm", "arm")
    np.testing.assert_allclose(ball.X_WO[:3, 3], [0, 1, 7], atol=1e-12)
    np.testing.assert_allclose(mesh.X_WO[:3, 3], [0, 2, 7], atol=1e-12)


def test_the_scene_as_an_environment(folder: Path) -> None:
    scene = sound(FULL, folder)
    issues = Issues()
    assert scene.fit(slider_rail(2), issues)
    report = scene.env().check(slider_rail(2), [0.0])
    things = {f"obstacle '{name}'" for name in ("pill", "can", "crate", "egg", "wedge")}
    assert {str(contact.b) for contact in report.contacts} == {*things, "link 'l0' (l0)"}


def test_an_empty_scene(tmp_path: Path) -> None:
    scene = sound("", tmp_path)
    assert (scene.name, len(scene.env().obstacles)) == ("s", 0)


def obstacle(text: str) -> str:
    return f'[[obstacles]]\nid = "a"\n{text}\n'


def attached(text: str) -> str:
    return f"[[attached]]\n{BALL}{text}\n"


def exclusion(text: str) -> str:
    return f"[[exclusions]]\n{text}\n"


KINDS = "sphere, capsule, cylinder, box, ellipsoid, half-space, mesh"
FAULTY = {
    "no toml": ("[[obstacles]", "1:12: error[E001] this is not TOML: "),
    "schema": ('schema = "x"', f"1:1: error[E005] 'schema' must be '{SCHEMA}', not 'x'"),
    "unknown": ("obstacle = 1", "1:1: error[E002] unknown key 'obstacle'; did you mean"),
    "margin": ("margin = -1", "1:1: error[E005] 'margin' must be a finite number of at least 0"),
    "name": ("name = 1", "1:1: error[E004] 'name' must be a string, not 1"),
    "no list": ("[obstacles]", "1:1: error[E004] 'obstacles' must be a list of tables, not a"),
    "empty": ("obstacles = []", "1:1: error[E005] 'obstacles' must not be empty"),
    "no id": (f"[[obstacles]]\n{BALL}", "1:1: error[E003] the key 'id' is missing"),
    "id": (f"[[obstacles]]\nid = 1\n{BALL}", "2:1: error[E004] 'id' must be a string, not 1"),
    "id ''": (f"[[obstacles]]\nid = ''\n{BALL}", "2:1: error[E005] 'id' must not be empty"),
    "id twice": (obstacle(BALL) * 2, "7:1: error[E007] there is an obstacle 'a' already"),
    "no shape": (obstacle(""), "1:1: error[E003] the key 'shape' is missing"),
    "shape": (
        obstacle('shape = "sphre"'),
        "3:1: error[E005] 'shape' must not be 'sphre'; did you mean 'sphere'?",
    ),
    "shape, far": (obstacle('shape = "q"'), f"'shape' must not be 'q'; there are {KINDS}"),
    "shape number": (obstacle("shape = 3"), "3:1: error[E004] 'shape' must be a string, not 3"),
    "no radius": (obstacle('shape = "sphere"'), "1:1: error[E003] the key 'radius' is missing"),
    "radius": (
        obstacle('shape = "sphere"\nradius = 0'),
        "4:1: error[E005] 'radius' must be a finite number above 0, not 0",
    ),
    "radius text": (
        obstacle('shape = "sphere"\nradius = "1"'),
        "4:1: error[E004] 'radius' must be a number, not '1'",
    ),
    "radius nan": (obstacle('shape = "sphere"\nradius = nan'), "4:1: error[E005] 'radius' must"),
    "no length": (
        obstacle('shape = "capsule"\nradius = 1'),
        "1:1: error[E003] the key 'length' is missing",
    ),
    "another's size": (obstacle(f"{BALL}length = 2"), "5:1: error[E002] unknown key 'length'"),
    "size": (
        obstacle('shape = "box"\nsize = [1, 2]'),
        "4:1: error[E004] 'size' must be a list of 3 numbers, not [1, 2]",
    ),
    "size 0": (
        obstacle('shape = "box"\nsize = [1, 2, 0]'),
        "4:1: error[E005] 'size' must be finite numbers above 0, not [1, 2, 0]",
    ),
    "radii": (obstacle('shape = "ellipsoid"\nradii = 1'), "4:1: error[E004] 'radii' must be a"),
    "xyz": (obstacle(f"{BALL}xyz = [0, 'a', 0]"), "5:1: error[E004] 'xyz' must be a list of 3"),
    "xyz inf": (obstacle(f"{BALL}xyz = [0, inf, 0]"), "5:1: error[E005] 'xyz' must be finite"),
    "rpy": (obstacle(f"{BALL}rpy = [0, 0]"), "5:1: error[E004] 'rpy' must be a list of 3"),
    "quat": (obstacle(f"{BALL}quat = [0, 0, 0]"), "5:1: error[E004] 'quat' must be a list of 4"),
    "quat 0": (obstacle(f"{BALL}quat = [0, 0, 0, 0]"), "5:1: error[E005] 'quat' must not be all 0"),
    "two turns": (
        obstacle(f"{BALL}rpy = [0, 0, 0]\nquat = [1, 0, 0, 0]"),
        "6:1: error[E006] 'rpy' and 'quat' both state the rotation",
    ),
    "padding": (obstacle(f"{BALL}padding = -1"), "5:1: error[E005] 'padding' must be a finite"),
    "no file": (obstacle('shape = "mesh"'), "1:1: error[E003] the key 'file' is missing"),
    "file gone": (
        obstacle('shape = "mesh"\nfile = "gone.stl"'),
        "4:1: error[E010] the mesh 'gone.stl' can't be used: ",
    ),
    "file bad": (
        obstacle('shape = "mesh"\nfile = "bad.obj"'),
        "4:1: error[E010] the mesh 'bad.obj' can't be used: ",
    ),
    "scale 0": (
        obstacle('shape = "mesh"\nfile = "wedge.obj"\nscale = [1, 0, 1]'),
        "5:1: error[E005] 'scale' must not hold a 0",
    ),
    "robot and shape": (
        obstacle('robot = "swing.urdf"\nshape = "sphere"'),
        "4:1: error[E006] 'robot' and 'shape' both state the shape",
    ),
    "robot gone": (
        obstacle('robot = "gone.urdf"'),
        "3:1: error[E010] the robot 'gone.urdf' can't be used: ",
    ),
    "robot bad": (obstacle('robot = "bad.urdf"'), "bad.urdf:1:33: error[N301] link 'a': "),
    "robot bare": (
        obstacle('robot = "bare.urdf"'),
        "3:1: error[E010] the robot 'bare.urdf' has no collision shapes",
    ),
    "robot hollow": (obstacle('robot = "hollow.urdf"'), "hollow.urdf:7:53: error[F601] "),
    "robot's joint": (
        obstacle('robot = "swing.urdf"\npositions = { turm = 1 }'),
        "3:1: error[E010] the robot 'swing.urdf' can't be used: no joint 'turm' that can move",
    ),
    "robot's position": (
        obstacle('robot = "swing.urdf"\npositions = { turn = "x" }'),
        "4:15: error[E004] 'turn' must be a number, not 'x'",
    ),
    "attached without shape": ("[[attached]]", "1:1: error[E003] the key 'shape' is missing"),
    "attached id twice": (attached("id = 'c'") * 2, "8:1: error[E007] there is an attached shape"),
    "frame": (attached("frame = 1"), "4:1: error[E004] 'frame' must be a string, not 1"),
    "touch links": (
        attached("touch_links = 'l1'"),
        "4:1: error[E004] 'touch_links' must be a list of strings, not 'l1'",
    ),
    "touch link": (
        attached("touch_links = ['l1', 2]"),
        "4:22: error[E004] 'touch_links' must be a list of strings, not 2",
    ),
    "attached unknown": (attached("touchlinks = []"), "4:1: error[E002] unknown key 'touchlinks'"),
    "exclusion of nothing": (
        exclusion("link = 'l1'"),
        "1:1: error[E003] the key 'attached' is missing",
    ),
    "exclusion with nothing": (
        exclusion("attached = 'c'"),
        "1:1: error[E003] one of 'obstacle', 'link', 'robot_shape' and 'other' must say what may",
    ),
    "exclusion with two": (
        exclusion("attached = 'c'\nlink = 'l1'\nother = 'd'"),
        "4:1: error[E006] 'link' and 'other' both say what may be touched",
    ),
    "exclusion index": (
        exclusion("attached = 'c'\nrobot_shape = 1.5"),
        "3:1: error[E004] 'robot_shape' must be an integer, not 1.5",
    ),
    "exclusion index below 0": (
        exclusion("attached = 'c'\nrobot_shape = -1"),
        "3:1: error[E005] 'robot_shape' must be at least 0, not -1",
    ),
}


@pytest.mark.parametrize("name", FAULTY)
def test_each_fault_gives_one_issue_at_its_place(name: str, folder: Path) -> None:
    text, expected = FAULTY[name]
    scene, said = parse(text, folder)
    assert scene is None
    assert len(said) == 1
    assert expected in said[0]
    assert said[0].startswith(("s.toml:", "bad.urdf:", "hollow.urdf:"))


def test_all_faults_are_told_at_once(folder: Path) -> None:
    text = obstacle('shape = "sphere"') + attached("frame = ''") + exclusion("attached = 'c'")
    _, said = parse(text, folder)
    assert [each.split(": ")[1].split("]")[0] for each in said] == [
        "error[E003",
        "error[E005",
        "error[E003",
    ]


UNFIT = {
    "frame": (
        attached("frame = 'l2'"),
        "1:1: error[E009] the robot has no link 'l2'; there are l0, l1",
    ),
    "touch link": (
        attached("id = 'c'\ntouch_links = ['tool']"),
        "1:1: error[E008] attached shape 'c' and link 'tool': the robot has no link 'tool'",
    ),
    "unknown id": (
        exclusion("attached = 'c'\nlink = 'l1'"),
        "1:1: error[E008] attached shape 'c' and link 'l1': there is no attached shape 'c'",
    ),
    "itself": (
        attached("id = 'c'") + exclusion("attached = 'c'\nother = 'c'"),
        "5:1: error[E008] attached shape 'c' is excluded against itself",
    ),
    "index": (
        attached("id = 'c'") + exclusion("attached = 'c'\nrobot_shape = 2"),
        "5:1: error[E008] attached shape 'c' and robot shape 2: the robot has the shapes 0 to 1",
    ),
    "obstacle": (
        attached("id = 'c'") + exclusion("attached = 'c'\nobstacle = 'x'"),
        "5:1: error[E008] attached shape 'c' and obstacle 'x': there is no obstacle 'x'",
    ),
}


@pytest.mark.parametrize("name", UNFIT)
def test_what_does_not_fit_the_robot_is_told_with_its_place(name: str, folder: Path) -> None:
    text, expected = UNFIT[name]
    issues = Issues()
    assert not sound(text, folder).fit(slider_rail(2), issues)
    (said,) = (str(issue).replace(f"{folder}/", "") for issue in issues)
    assert said.startswith(f"s.toml:{expected}")


def test_every_unsound_exclusion_gives_an_issue(folder: Path) -> None:
    text = "".join(exclusion(f"attached = 'c{number}'\nlink = 'l0'") for number in range(3))
    issues = Issues()
    sound(text, folder).fit(slider_rail(2), issues)
    assert [issue.source.line for issue in issues if issue.source] == [1, 4, 7]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="there is no scene"):
        load_scene(str(tmp_path / "none.toml"), Issues())
    with pytest.raises(UnreadableError):
        load_scene(str(tmp_path), Issues())


# The schema


def schema() -> dict[str, Any]:
    document = json.loads((ROOT / "schemas/scene.schema.json").read_text("utf-8"))
    assert isinstance(document, dict)
    return document


def accepts(text: str) -> bool:
    return jsonschema.Draft202012Validator(schema()).is_valid(tomllib.loads(text))


def test_the_schema_takes_what_the_reader_takes(folder: Path) -> None:
    assert accepts(FULL)
    assert accepts("")
    for path in SCENES:
        assert accepts(path.read_text("utf-8")), path


# What only the reader can know: other tables, files, and that JSON has no NaN and no infinity.
BEYOND = {"no toml", "id twice", "attached id twice", "radius nan", "xyz inf", "quat 0", "scale 0"}
BEYOND |= {name for name in FAULTY if name.startswith(("file", "robot "))} - {"robot and shape"}
BEYOND |= {"robot's joint"}


@pytest.mark.parametrize("name", sorted(FAULTY.keys() - BEYOND))
def test_the_schema_refuses_what_the_reader_refuses(name: str) -> None:
    assert not accepts(FAULTY[name][0])


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_samples_are_sound(path: Path) -> None:
    issues = Issues()
    assert load_scene(str(path), issues) is not None
    assert list(issues) == []


def test_scenes_are_read_from_where_they_lie(folder: Path) -> None:
    deeper = folder / "deep"
    deeper.mkdir()
    shutil.move(folder / "wedge.obj", deeper / "wedge.obj")
    (deeper / "s.toml").write_text(obstacle('shape = "mesh"\nfile = "wedge.obj"'))
    scene = load_scene(str(deeper / "s.toml"), Issues())
    assert scene is not None
    assert math.isclose(scene.env().obstacles[0].X_WO[0, 0], 1.0)
