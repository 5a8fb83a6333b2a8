"""`phyzctl convert`: files written, losses told on stderr, and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import phyzctl
from tests.cli.conftest import Cli
from tests.corpus import SAMPLES

ARM = SAMPLES / "six_axis_arm.urdf"
TWIN = ARM.with_suffix(".xml")


def test_urdf_to_mjcf_and_what_is_lost(cli: Cli, workspace: Path) -> None:
    code, out, err = cli("convert", ARM, "-o", "arm.xml")
    assert (code, out) == (0, "")
    assert phyzctl.load("arm.xml").dialect == "mjcf"
    lines = err.splitlines()
    assert lines[-1].startswith("phyzctl: wrote arm.xml: lost in ")
    velocity = next(line for line in lines if "velocity limit" in line)
    assert "six_axis_arm.urdf:" in velocity
    assert "warning[L006] joint " in velocity


def test_mjcf_to_urdf_tells_of_classes_and_actuators(cli: Cli, workspace: Path) -> None:
    code, _, err = cli("convert", TWIN, "-o", "arm.urdf")
    assert code == 0
    assert phyzctl.load("arm.urdf").dialect == "urdf"
    assert "info[L013]" in err
    assert "warning[L001]" in err


def test_strict_writes_and_fails(cli: Cli, workspace: Path) -> None:
    assert cli("convert", ARM, "-o", "arm.xml", "--strict").code == 1
    assert (workspace / "arm.xml").exists()
    code, _, err = cli("convert", ARM, "-o", "copy.urdf", "--strict")
    assert (code, err.splitlines()[1:]) == (1, ["phyzctl: wrote copy.urdf: lost in 1 way"])
    assert "info[L015] a comment is left out" in err
    assert phyzctl.load("copy.urdf") == phyzctl.load(ARM)


@pytest.mark.parametrize("comments", ["L015", "loss-of-comment", "L013, L015"])
def test_losses_that_are_ignored_are_none(cli: Cli, workspace: Path, comments: str) -> None:
    code, out, err = cli("convert", ARM, "-o", "copy.urdf", "--strict", "--ignore", comments)
    assert (code, out, err) == (0, "", "phyzctl: wrote copy.urdf: nothing is lost\n")
    code, _, err = cli("convert", ARM, "-o", "arm.xml", "--strict", "--ignore", comments)
    assert (code, "L015" in err) == (1, False)


def test_what_is_no_loss_cannot_be_ignored(cli: Cli, workspace: Path) -> None:
    code, _, err = cli("convert", ARM, "-o", "copy.urdf", "--ignore", "L099")
    assert code == 2
    assert "no loss is called 'L099'; there are L001, L002" in err
    assert not (workspace / "copy.urdf").exists()


def test_a_copy_without_comments_loses_nothing(cli: Cli, workspace: Path) -> None:
    (workspace / "bare.urdf").write_text('<robot name="r"><link name="l"/></robot>', "utf-8")
    assert cli("convert", "bare.urdf", "-o", "copy.urdf", "--strict").code == 0


def test_json(cli: Cli, workspace: Path) -> None:
    no_comments = ("--ignore", "L015")
    assert cli("convert", ARM, "-o", "arm.json", "--strict", "--quiet", *no_comments).code == 0
    document = json.loads((workspace / "arm.json").read_text("utf-8"))
    assert phyzctl.Robot.from_json(document) == phyzctl.load(ARM)


def test_json_is_read_by_every_verb(cli: Cli, workspace: Path) -> None:
    cli("convert", ARM, "-o", "arm.json", "--quiet")
    assert cli("diff", ARM, "arm.json") == (0, "", "")
    assert cli("validate", "arm.json").code == 0
    assert cli("info", "arm.json").out == cli("info", ARM).out.replace(str(ARM), "arm.json")
    assert cli("convert", "arm.json", "-o", "copy.urdf", "--quiet").code == 0
    assert phyzctl.load("copy.urdf") == phyzctl.load(ARM)
    assert cli("tree", "arm.json").code == 0


def test_json_robots_are_found_in_folders(cli: Cli, workspace: Path) -> None:
    Path("robots").mkdir()
    cli("convert", ARM, "-o", "robots/arm.json", "--quiet")
    Path("robots/package.json").write_text('{"name": "not a robot"}')
    code, out, _ = cli("validate", "robots", "--format", "json")
    assert code == 0
    assert json.loads(out)["files"] == ["robots/arm.json"]


def test_broken_json_is_told_with_its_line(cli: Cli, workspace: Path) -> None:
    Path("r.json").write_text('{"schema": "phyzctl.robot/1",\n "name": "r"\n "links": []}')
    code, out, _ = cli("validate", "r.json", "--no-source")
    assert code == 1
    assert "r.json:3:2: error[X021]" in out
    assert cli("convert", "r.json", "-o", "r.urdf").code == 3


def test_to_stdout(cli: Cli, workspace: Path) -> None:
    code, out, _ = cli("convert", ARM, "-o", "-", "--format", "mjcf", "--quiet")
    assert code == 0
    assert out.startswith('<?xml version="1.0"?>\n<mujoco model="six_axis_arm">')
    assert cli("convert", ARM, "-o", "-").code == 2


def test_the_format_wins_over_the_suffix(cli: Cli, workspace: Path) -> None:
    assert cli("convert", ARM, "-o", "arm.txt", "--format", "mjcf").code == 0
    assert "<mujoco" in (workspace / "arm.txt").read_text("utf-8")
    code, _, err = cli("convert", ARM, "-o", "arm.txt")
    assert code == 2
    assert err == "phyzctl: can't write the format 'txt'; there is urdf, mjcf, json\n"


@pytest.mark.parametrize(("kind", "count"), [("none", 0), ("motor", 6), ("position", 6)])
def test_actuators(cli: Cli, workspace: Path, kind: str, count: int) -> None:
    cli("convert", ARM, "-o", "arm.xml", "--actuators", kind)
    assert len(phyzctl.load("arm.xml").actuators) == count


@pytest.mark.parametrize(("base", "dofs"), [("fixed", 0), ("floating", 6)])
def test_base(cli: Cli, workspace: Path, base: str, dofs: int) -> None:
    (workspace / "part.urdf").write_text(
        '<robot name="r"><link name="part"><inertial><mass value="1"/><inertia ixx="1" iyy="1"'
        ' izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>'
    )
    cli("convert", "part.urdf", "-o", "part.xml", "--base", base)
    assert phyzctl.compile(phyzctl.load("part.xml")).nv == dofs


def test_fuse(cli: Cli, workspace: Path) -> None:
    code, _, err = cli("convert", ARM, "-o", "arm.urdf", "--fuse")
    assert code == 0
    before, after = (phyzctl.compile(phyzctl.load(path)) for path in (ARM, "arm.urdf"))
    assert after.nv == before.nv
    assert after.nbodies() < before.nbodies()
    assert "is fused into" in err


def test_errors_in_the_file_stop_it(cli: Cli, workspace: Path) -> None:
    broken = SAMPLES / "broken/T404_parent_unknown.urdf"
    code, out, err = cli("convert", broken, "-o", "robot.xml")
    assert (code, out) == (3, "")
    assert "T404" in err
    assert not (workspace / "robot.xml").exists()


def test_where_nothing_can_be_written(cli: Cli, workspace: Path) -> None:
    code, _, err = cli("convert", ARM, "-o", "no/arm.xml")
    assert code == 2
    assert "can't write" in err


HAND = SAMPLES / "three_finger_hand.xml"


def test_attach(cli: Cli, workspace: Path) -> None:
    to = phyzctl.load(ARM).links[-1].name
    hang = ["--attach", HAND, "--to", to, "--prefix"]
    pose = ["--pose", "0 0 0.1 0 0 1.5", "--pose", "0,0,-0.1,0,0,0"]
    code, _, err = cli("convert", ARM, *hang, "left_", *hang, "right_", *pose, "-o", "both.urdf")
    assert code == 0
    assert "three_finger_hand.xml:" in err
    both, alone = phyzctl.load("both.urdf"), phyzctl.load(HAND)
    names = {link.name for link in both.links}
    for link in alone.links:
        assert link.name == "world" or {f"left_{link.name}", f"right_{link.name}"} <= names
    assert phyzctl.compile(both).nv == 6 + 2 * phyzctl.compile(alone).nv


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--attach", HAND], "--attach wants one --to each: 1 files, 0 links"),
        (["--attach", HAND, "--to", "nowhere"], "no link named 'nowhere'"),
        (["--attach", HAND, "--to", "base", "--pose", "1 2 3"], "--pose wants six numbers"),
        (["--attach", HAND, "--to", "base", "--pose", "1 2 3 4 nan 6"], "--pose wants six numbers"),
        (
            ["--attach", HAND, "--to", "base", "--prefix", "a", "--prefix", "b"],
            "--prefix is stated 2 times for 1 --attach",
        ),
        (["--attach", "gone.urdf", "--to", "base"], "there is no file 'gone.urdf'"),
    ],
)
def test_attach_wants_sense(cli: Cli, workspace: Path, options: list[str], complaint: str) -> None:
    code, _, err = cli("convert", ARM, *options, "-o", "both.urdf")
    assert code == 2
    assert complaint in err
    assert not Path("both.urdf").exists()


SRDF = """<robot name="{0}">
  <!-- kept -->
  <group name="g"/>
  <disable_collisions link1="{1}" link2="{2}" reason="Never"/>
</robot>
"""


def test_an_srdf_becomes_excludes_and_goes_along_with_a_urdf(cli: Cli, workspace: Path) -> None:
    arm, hand = phyzctl.load(ARM), phyzctl.load(HAND.with_suffix(".urdf"))
    first, *_, third, last = [link.name for link in arm.links]
    finger, *_, thumb = [link.name for link in hand.links if link.geoms]
    Path("arm.srdf").write_text(SRDF.format("arm", first, third))
    Path("hand.srdf").write_text(SRDF.format("hand", finger, thumb))
    code, _, err = cli("convert", ARM, "--srdf", "arm.srdf", "-o", "arm.xml")
    assert code == 0
    assert "arm.srdf:3:3: warning[L009]" in err
    assert (first, third) in [
        (each.first, each.second) for each in phyzctl.load("arm.xml").excludes
    ]
    options = ["--attach", HAND.with_suffix(".urdf"), "--to", last, "--prefix", "h_"]
    both = ["--srdf", "arm.srdf", "--srdf", "hand.srdf"]
    assert cli("convert", ARM, *options, *both, "-o", "both.urdf", "-q").code == 0
    text = Path("both.srdf").read_text()
    new = f'  <disable_collisions link1="h_{finger}" link2="h_{thumb}" reason="Never"/>\n'
    assert text.replace(new, "") == Path("arm.srdf").read_text()
    assert new in text
    code, _, err = cli("convert", ARM, *both, "-o", "x.urdf")
    assert (code, err) == (2, "phyzctl: --srdf is stated 2 times for 1 robot\n")
