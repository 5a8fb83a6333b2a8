"""Every fault of a scene file gives one Issue at its place, and the schema refuses it too."""

from __future__ import annotations

from pathlib import Path

import pytest

from phyzctl.issues import Issues
from phyzctl.scene.file import SCHEMA
from tests.scene.robots import slider_rail
from tests.scene.scenefiles import BALL, accepts, attached, exclusion, obstacle, parse, sound

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


# What only the reader can know: other tables, files, and that JSON has no NaN and no infinity.
BEYOND = {"no toml", "id twice", "attached id twice", "radius nan", "xyz inf", "quat 0", "scale 0"}
BEYOND |= {name for name in FAULTY if name.startswith(("file", "robot "))} - {"robot and shape"}
BEYOND |= {"robot's joint"}


@pytest.mark.parametrize("name", sorted(FAULTY.keys() - BEYOND))
def test_the_schema_refuses_what_the_reader_refuses(name: str) -> None:
    assert not accepts(FAULTY[name][0])
