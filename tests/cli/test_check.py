"""`phyzctl check` from the command line to what it prints and writes."""

from __future__ import annotations

import json
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from tests.cli.conftest import Cli
from tests.corpus import ROOT, SAMPLES

RAIL = """\
<robot name="rail">
  <link name="base"/>
  <link name="car">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision name="bumper"><geometry><sphere radius="0.1"/></geometry></collision>
  </link>
  <joint name="x" type="prismatic"><parent link="base"/><child link="car"/><axis xyz="1 0 0"/>
    <limit lower="-9" upper="9" effort="1" velocity="1"/></joint>
</robot>
"""
SRDF = """\
<robot name="rail">
  <group name="all"><joint name="x"/></group>
  <group_state name="there" group="all"><joint name="x" value="0.95"/></group_state>
</robot>
"""
KEYED = """\
<mujoco model="keyed">
  <worldbody>
    <body name="car">
      <joint name="x" type="slide" axis="1 0 0"/>
      <geom name="bumper" type="sphere" size="0.1" mass="1"/>
    </body>
  </worldbody>
  <keyframe><key name="there" qpos="0.95"/><key name="here" qpos="0"/></keyframe>
</mujoco>
"""
SCENE = """\
name = "a ball ahead"

[[obstacles]]
id = "ball"
shape = "sphere"
radius = 0.1
xyz = [1, 0, 0]

[[attached]]
id = "flag"
frame = "car"
shape = "sphere"
radius = 0.01
xyz = [0, 0, 0.5]
"""
FOUND = "link 'car' (bumper) overlaps obstacle 'ball' by 150 mm near (0.975, 0, 0)"


@pytest.fixture
def scene(workspace: Path) -> Path:
    (workspace / "rail.urdf").write_text(RAIL)
    (workspace / "keyed.xml").write_text(KEYED)
    (workspace / "rail.srdf").write_text(SRDF)
    (workspace / "s.toml").write_text(SCENE)
    return workspace


def check(cli: Cli, *arguments: str) -> tuple[int, list[str], str]:
    code, out, err = cli("check", "rail.urdf", "--scene", "s.toml", *arguments)
    return code, out.splitlines(), err


def test_nothing_touches(cli: Cli, scene: Path) -> None:
    code, out, err = check(cli)
    assert (code, err) == (0, "")
    assert out == [
        "3 pairs checked; skipped: none",
        "nearest: attached 'flag' is 390 mm from link 'car' (bumper)",
    ]


def test_a_contact_is_told_at_the_obstacle_s_line(cli: Cli, scene: Path) -> None:
    code, out, _ = check(cli, "--q", "x=0.95")
    assert code == 1
    assert out[:2] == [
        f"s.toml:3:1: error[E021] {FOUND}",
        "  note: link 'car' (bumper) stands here: rail.urdf:5:5",
    ]


def test_without_a_scene_only_the_robot_is_checked(cli: Cli, workspace: Path) -> None:
    humanoid = SAMPLES / "humanoid.urdf"
    code, out, _ = cli("check", humanoid)
    assert code == 0
    assert "pairs checked; skipped: " in out


def test_keyframes_and_group_states(cli: Cli, scene: Path) -> None:
    assert check(cli, "--srdf", "rail.srdf", "--key", "there")[0] == 1
    assert check(cli, "--srdf", "rail.srdf", "--key", "all there")[0] == 1
    assert check(cli, "--srdf", "rail.srdf", "--key", "there", "--q", "x=0")[0] == 0
    for key, expected in (("there", 1), ("here", 0)):
        code, _, _ = cli("check", "keyed.xml", "--scene", "s.toml", "--key", key)
        assert code == expected


def test_margin(cli: Cli, scene: Path) -> None:
    assert check(cli, "--q", "x=0.75")[0] == 0
    code, out, _ = check(cli, "--q", "x=0.75", "--margin", "0.06")
    assert code == 1
    assert "link 'car' (bumper) is 50 mm from obstacle 'ball' near (0.875, 0, 0)" in out[0]
    (scene / "s.toml").write_text(f"margin = 0.06\n{SCENE}")
    assert check(cli, "--q", "x=0.75")[0] == 1
    assert check(cli, "--q", "x=0.75", "--margin", "0")[0] == 0


def test_trajectories(cli: Cli, scene: Path) -> None:
    (scene / "way.csv").write_text("time,x\n10,0\n12,2\n")
    code, out, _ = check(cli, "--trajectory", "way.csv")
    assert code == 1
    assert out[0] == (
        "s.toml:3:1: error[E021] at 10.8 s, 0.4 of the way from way-point 0 to the next: "
        "link 'car' (bumper) touches obstacle 'ball' near (0.9, 0, 0)"
    )
    assert out[-2:] == [
        "3 pairs followed through 2 way-points",
        "nearest at a way-point: attached 'flag' is 390 mm from link 'car' (bumper)",
    ]
    np.savez(scene / "way.npz", q=np.array([[0.0], [0.7]]))
    assert check(cli, "--trajectory", "way.npz")[0] == 0


@pytest.mark.parametrize("form", ["json", "jsonl", "sarif", "github"])
def test_formats(cli: Cli, scene: Path, form: str) -> None:
    code, out, _ = check(cli, "--q", "x=0.95", "--format", form, "--output", f"{form}=r.txt")
    assert code == 1
    text = "\n".join(out)
    assert "E021" in text
    assert (scene / "r.txt").read_text().splitlines() == out
    if form == "json":
        report = json.loads(text)
        schema = json.loads((ROOT / "schemas/report.schema.json").read_text("utf-8"))
        jsonschema.Draft202012Validator(schema).validate(report)
        assert report["files"] == ["rail.urdf", "s.toml"]
        assert (report["issues"][0]["line"], report["summary"]["errors"]) == (3, 1)


def test_the_line_is_shown(cli: Cli, scene: Path) -> None:
    _, out, _ = check(cli, "--q", "x=0.95", "--show-source")
    assert any("[[obstacles]]" in line for line in out)


def test_quiet(cli: Cli, scene: Path) -> None:
    assert check(cli, "--quiet") == (0, [], "")
    assert len(check(cli, "--quiet", "--q", "x=0.95")[1]) == 2


def test_pictures(cli: Cli, scene: Path) -> None:
    check(cli, "--q", "x=0.95", "--picture", "p.svg")
    root = ET.parse(scene / "p.svg").getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    texts = ["".join(each.itertext()) for each in root.iter() if each.tag.endswith("text")]
    assert "a ball ahead" in texts
    code, out, err = cli("check", "rail.urdf", "--picture", "p.png")
    assert (code, out) == (2, "")
    assert "--picture wants a name that ends in .svg, not 'p.png'" in err


USAGE = {
    "no robot": (["none.urdf"], "none.urdf"),
    "no scene": (["rail.urdf", "--scene", "none.toml"], "there is no scene 'none.toml'"),
    "no joint": (["rail.urdf", "--q", "z=1"], "no joint 'z' that can move; there are x"),
    "no value": (["rail.urdf", "--q", "x"], "--q wants NAME=VALUE, a number or several, not 'x'"),
    "no number": (["rail.urdf", "--q", "x=a"], "--q wants NAME=VALUE, a number or several, not"),
    "numbers": (["rail.urdf", "--q", "x=1,2"], "the joint 'x' takes 1 number, not 2"),
    "infinite": (["rail.urdf", "--q", "x=inf"], "the position of the joint 'x' must be finite"),
    "no key": (["rail.urdf", "--key", "k"], "no keyframe named 'k'; there are: none"),
    "no motion": (["rail.urdf", "--trajectory", "w.csv"], "there is no motion 'w.csv'"),
    "what motion": (["rail.urdf", "--trajectory", "w.txt"], "can't tell what motion 'w.txt' is"),
    "margin": (["rail.urdf", "--margin", "-1"], "margin"),
    "format": (["rail.urdf", "--output", "x=y"], "there is no report format 'x'"),
}


@pytest.mark.parametrize("name", USAGE)
def test_usage(cli: Cli, scene: Path, name: str) -> None:
    arguments, said = USAGE[name]
    if "--scene" not in arguments:
        arguments = [*arguments, "--scene", "s.toml"]
    code, out, err = cli("check", *arguments)
    assert (code, out) == (2, "")
    assert said in err


def test_a_way_and_a_configuration(cli: Cli, scene: Path) -> None:
    (scene / "w.csv").write_text("x\n0\n")
    for more in (["--q", "x=1"], ["--key", "k"]):
        code, _, err = check(cli, "--trajectory", "w.csv", *more)
        assert code == 2
        assert "--trajectory goes without --q and --key" in err


def test_a_robot_without_shapes(cli: Cli, robots: Path) -> None:
    code, _, err = cli("check", "good.urdf")
    assert code == 2
    assert "there is nothing to check" in err


FAULTY = {
    "scene": (SCENE.replace("radius = 0.1", "radius = -1"), "s.toml:6:1: error[E005] "),
    "toml": ("[", "s.toml:1:"),
    "frame": (SCENE.replace('"car"', '"cat"'), "s.toml:9:1: error[E009] the robot has no link"),
    "exclusion": (
        f'{SCENE}\n[[exclusions]]\nattached = "flag"\nlink = "cab"\n',
        "s.toml:16:1: error[E008] attached shape 'flag' and link 'cab': the robot has no link",
    ),
}


@pytest.mark.parametrize("name", FAULTY)
def test_a_faulty_scene(cli: Cli, scene: Path, name: str) -> None:
    text, said = FAULTY[name]
    (scene / "s.toml").write_text(text)
    code, out, err = check(cli)
    assert (code, out) == (3, [])
    assert err.startswith(said)
    assert err.count("\n") == 1


def test_a_faulty_way(cli: Cli, scene: Path) -> None:
    (scene / "w.csv").write_text("x\n0\nz\n")
    code, out, err = check(cli, "--trajectory", "w.csv")
    assert (code, out) == (3, [])
    assert err == "w.csv:3:1: error[E012] expected a finite number, not 'z'\n"


def test_meshes_that_are_missing_are_told(cli: Cli, scene: Path) -> None:
    skin = '<collision name="skin"><geometry><mesh filename="gone.stl"/></geometry></collision>'
    robot = RAIL.replace("</link>\n  <joint", f"{skin}</link>\n  <joint")
    (scene / "rail.urdf").write_text(robot)
    code, out, err = check(cli)
    assert code == 0
    assert "link 'car' (skin) could not be checked: its file is missing" in err
    assert "without a convex shape" in out[0]


@pytest.mark.parametrize("robot", ["six_axis_arm.urdf", "six_axis_arm.xml"])
def test_the_sample(cli: Cli, workspace: Path, robot: str) -> None:
    shutil.copy(SAMPLES / robot, workspace)
    shutil.copy(SAMPLES / "scenes" / "table.toml", workspace)
    joints = ["--q", "shoulder_lift=0.6", "--q", "elbow=1.3", "--q", "wrist_1=1.2"]
    assert cli("check", robot, "--scene", "table.toml").code == 0
    code, out, _ = cli("check", robot, "--scene", "table.toml", *joints, "--quiet")
    assert code == 1
    found = [
        line.split("error[")[1].split(" by ")[0] for line in out.splitlines() if "error" in line
    ]
    assert len(found) == 4
    assert found[0].startswith("E021] attached 'handle' overlaps obstacle 'bin'")
