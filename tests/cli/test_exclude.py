"""`phyzctl exclude`: what is printed and written, and the exit codes."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.corpus import SAMPLES
from tests.test_schemas import check

# A hinge in a box that hides it: `upper` overlaps `base` wherever it turns, and `tip` never can.
MJCF = """\
<mujoco model="crane">
  <!-- drawn by hand -->
  <worldbody>
    <body name="base">
      <geom type="box" size="0.1 0.1 0.1"/>
      <body name="upper" pos="0 0 0.1">
        <joint name="turn" axis="0 0 1" range="-90 90"/>
        <geom type="capsule" size="0.03 0.1" pos="0 0 0.1"/>
        <body name="tip" pos="0 0 0.4">
          <joint name="nod" axis="1 0 0" range="-20 20"/>
          <geom type="sphere" size="0.05"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""

URDF = """\
<robot name="arm">
  <link name="base"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <link name="upper"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="hand"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="turn" type="continuous"><origin xyz="0 0 0.15"/><axis xyz="0 0 1"/>
    <parent link="base"/><child link="upper"/></joint>
  <joint name="swing" type="revolute"><origin xyz="0 0 0.3"/><axis xyz="1 0 0"/>
    <parent link="upper"/><child link="hand"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>
"""
SRDF = """\
<robot name="arm">
  <!-- kept -->
  <disable_collisions link1="base" link2="upper" reason="Never"/>
</robot>
"""
FEW = ("--samples", "200", "--jobs", "1", "--no-prove")


@pytest.fixture
def crane(workspace: Path) -> Path:
    path = workspace / "crane.xml"
    path.write_text(MJCF)
    return path


@pytest.fixture
def arm(workspace: Path) -> Path:
    (workspace / "arm.srdf").write_text(SRDF)
    path = workspace / "arm.urdf"
    path.write_text(URDF)
    return path


def test_the_table_shows_what_to_exclude_and_why(cli: Cli, crane: Path) -> None:
    result = cli("exclude", "suggest", crane, *FEW)
    assert result.code == 0
    line = next(line for line in result.out.splitlines() if line.startswith("base"))
    assert line.split()[:4] == ["base", "upper", "Adjacent", "exclude"]
    assert "overlap by 30 mm in the reference pose" in line
    assert "200 of 200 samples" in line
    assert result.out.endswith("3 pairs, 1 to exclude\n")
    assert "200 configurations within the limits, seed 0" in result.err


def test_verbose_shows_every_pair(cli: Cli, crane: Path) -> None:
    out = cli("exclude", "suggest", crane, "--verbose", *FEW).out
    assert [line.split()[:2] for line in out.splitlines()[1:4]] == [
        ["base", "upper"],
        ["base", "tip"],
        ["upper", "tip"],
    ]


def test_json_fits_its_schema(cli: Cli, crane: Path) -> None:
    document = json.loads(cli("exclude", "suggest", crane, "-f", "json", *FEW).out)
    check("exclude-report", document)
    pair = document["pairs"][0]
    assert pair["bodies"] == ["base", "upper"]
    assert pair["hits"] == 200
    assert pair["default_depth"] == pytest.approx(0.03)
    assert document["coordinates"] == ["turn", "nod"]


@pytest.mark.parametrize("name", ["humanoid.urdf", "arm_gripper.xml", "quadrotor.xml"])
def test_every_sample_fits_the_schema(cli: Cli, workspace: Path, name: str) -> None:
    words = ("exclude", "suggest", SAMPLES / name, "-f", "json", "--samples", "50", "-q")
    check("exclude-report", json.loads(cli(*words).out))


def test_csv_has_a_line_for_each_pair(cli: Cli, crane: Path) -> None:
    out = cli("exclude", "suggest", crane, "-f", "csv", *FEW).out
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(row["body1"], row["body2"], row["hits"]) for row in rows] == [
        ("base", "upper", "200"),
        ("base", "tip", "0"),
        ("upper", "tip", "0"),
    ]


@pytest.mark.parametrize(
    ("suffix", "start"),
    [
        (".xml", "<mujocoinclude>"),
        (".srdf", '<?xml version="1.0"?>\n<robot name="crane">'),
        (".json", "{"),
        (".csv", "body1,"),
        (".md", "# Pairs of crane"),
        (".html", "<!doctype html>"),
        (".txt", "body1"),
    ],
)
def test_the_suffix_of_the_output_says_the_format(
    cli: Cli, crane: Path, suffix: str, start: str
) -> None:
    out = crane.with_name(f"out{suffix}")
    assert cli("exclude", "suggest", crane, "-o", out, *FEW).out == ""
    assert out.read_text().startswith(start)


def test_mjcf_is_written_in_place_and_then_is_up_to_date(cli: Cli, crane: Path) -> None:
    assert cli("exclude", "suggest", crane, "--check", *FEW).code == 1
    assert crane.read_text() == MJCF
    assert cli("exclude", "suggest", crane, "--write", *FEW).code == 0
    added = (
        '  <contact>\n    <exclude name="phyzctl:base:upper" body1="base" body2="upper"/>\n'
        "  </contact>\n"
    )
    assert crane.read_text() == MJCF.replace("</mujoco>", f"{added}</mujoco>")
    again = cli("exclude", "suggest", crane, "--check", *FEW)
    assert again.code == 0
    assert "up to date" in again.err


def test_never_adds_what_never_touches_and_goes_again(cli: Cli, crane: Path) -> None:
    cli("exclude", "suggest", crane, "--write", *FEW)
    before = crane.read_text()
    cli("exclude", "suggest", crane, "--write", "--never", *FEW)
    names = [line.split('"')[1] for line in crane.read_text().splitlines() if "<exclude" in line]
    assert names == ["phyzctl:base:upper", "phyzctl:base:tip"]
    cli("exclude", "suggest", crane, "--write", *FEW)
    assert crane.read_text() == before


def test_diff_shows_and_writes_nothing(cli: Cli, crane: Path) -> None:
    result = cli("exclude", "suggest", crane, "--diff", *FEW)
    assert result.code == 0
    assert '+    <exclude name="phyzctl:base:upper" body1="base" body2="upper"/>' in result.out
    assert crane.read_text() == MJCF


def test_an_exclude_of_another_hand_stays_and_is_not_doubled(cli: Cli, crane: Path) -> None:
    mine = '  <contact>\n    <exclude body1="upper" body2="base"/>\n  </contact>\n</mujoco>'
    crane.write_text(MJCF.replace("</mujoco>", mine))
    assert cli("exclude", "suggest", crane, "--check", *FEW).code == 0


def test_an_srdf_is_written_in_place(cli: Cli, arm: Path) -> None:
    srdf = arm.with_suffix(".srdf")
    words = ("exclude", "suggest", arm, "--srdf", srdf, *FEW)
    assert cli(*words, "--check").code == 1
    assert cli(*words, "--write").code == 0
    assert srdf.read_text() == SRDF.replace('"Never"/>\n', '"Adjacent"/>\n').replace(
        "</robot>",
        '  <disable_collisions link1="base" link2="hand" reason="Never"/>\n'
        '  <disable_collisions link1="upper" link2="hand" reason="Adjacent"/>\n</robot>',
    )
    assert cli(*words, "--check").code == 0


def test_proofs_compute_no_more_than_they_may(cli: Cli, arm: Path) -> None:
    words = ("exclude", "suggest", arm, "--samples", "50", "--jobs", "1", "--verbose")
    assert "base   hand   Never     -           0 of 50 samples" in cli(*words).out
    assert "proved never to touch" in cli(*words).out
    assert "undecided, 0% of the range proved" in cli(*words, "--work", "0").out


def test_the_flags_of_collisions_updater(cli: Cli, arm: Path) -> None:
    out = arm.with_name("new.srdf")
    words = ("--urdf", arm, "--srdf", arm.with_suffix(".srdf"), "--output", out, "--trials", "200")
    more = ("--default", "--always", "--keep", "--min-collision-fraction", "0.95", "--verbose")
    result = cli("exclude", "suggest", *words, *more, "--xacro-args", "a:=1", "--no-prove")
    assert result.code == 0
    assert out.read_text().count("<disable_collisions") == 3
    assert arm.with_suffix(".srdf").read_text() == SRDF


@pytest.mark.parametrize(
    ("option", "kept"), [("adjacent", "Adjacent"), ("never", "Never"), ("default,always", None)]
)
def test_reasons_choose(cli: Cli, arm: Path, option: str, kept: str | None) -> None:
    out = cli("exclude", "suggest", arm, "-f", "srdf", "--reasons", option, *FEW).out
    found = {line.split('"')[5] for line in out.splitlines() if "<disable" in line}
    assert found == ({kept} if kept else set())


def test_explain_shows_the_pose_and_the_spread(cli: Cli, crane: Path) -> None:
    out = cli("exclude", "explain", crane, "upper", "base", *FEW).out
    assert out.startswith("base and upper\n")
    assert "  between     turn\n" in out
    assert "deepest overlap seen:\n  overlap  30 mm\n  turn  " in out
    assert "distances in 2000 configurations:" in out


def test_lint_finds_doubles_strangers_and_wrong_reasons(cli: Cli, arm: Path) -> None:
    srdf = arm.with_suffix(".srdf")
    lines = [
        '<disable_collisions link1="base" link2="upper" reason="Never"/>',
        '<disable_collisions link1="upper" link2="base" reason="Adjacent"/>',
        '<disable_collisions link1="bass" link2="upper" reason="User"/>',
        '<disable_collisions link1="base" link2="hand" reason="Default"/>',
        '<disable_collisions link1="hand" link2="hand" reason="User"/>',
    ]
    srdf.write_text("\n".join(['<robot name="arm">', *lines, "</robot>\n"]))
    result = cli("exclude", "lint", arm, "--srdf", srdf, *FEW[:4])
    assert result.code == 1
    found = [line.split(": ")[0:2] for line in result.out.splitlines()]
    places = sorted((int(place.split(":")[1]), what.split("[")[1][:4]) for place, what in found)
    assert places == [(2, "C905"), (3, "C921"), (4, "C920"), (5, "C905"), (6, "C921")]
    assert "did you mean 'base'?" in result.out
    assert '"Default", but they are apart in the reference pose' in result.out


def test_a_clean_srdf_is_clean(cli: Cli, arm: Path) -> None:
    srdf = arm.with_suffix(".srdf")
    cli("exclude", "suggest", arm, "--srdf", srdf, "--write", *FEW)
    result = cli("exclude", "lint", arm, "--srdf", srdf, *FEW[:4])
    assert (result.code, result.out) == (0, "")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("suggest",), "which robot?"),
        (("suggest", "arm.urdf", "--urdf", "arm.urdf"), "given twice"),
        (("suggest", "none.urdf"), "there is no file 'none.urdf'"),
        (("suggest", "arm.urdf", "--write"), "give the robot's SRDF with --srdf"),
        (("suggest", "arm.urdf", "--reasons", "often"), "none of Adjacent, Default"),
        (("suggest", "arm.urdf", "--srdf", "none.srdf"), "there is no file 'none.srdf'"),
        (("explain", "arm.urdf", "base", "hans"), "did you mean 'hand'?"),
        (("explain", "arm.urdf", "hand", "hand"), "a pair is two bodies"),
        (("suggest", "bare.urdf"), "has no collision geometry"),
    ],
)
def test_misuse_is_told_in_a_sentence(
    cli: Cli, arm: Path, words: tuple[str, ...], sentence: str
) -> None:
    arm.with_name("bare.urdf").write_text('<robot name="bare"><link name="a"/></robot>')
    result = cli("exclude", *words)
    assert result.code == 2
    assert sentence in result.err


def test_an_srdf_that_is_none_ends_the_work(cli: Cli, arm: Path) -> None:
    arm.with_suffix(".srdf").write_text("<mujoco/>")
    result = cli("exclude", "suggest", arm, "--srdf", arm.with_suffix(".srdf"), *FEW)
    assert result.code == 3
    assert "X002" in result.err


def test_errors_in_the_robot_are_told_and_do_not_stop(cli: Cli, arm: Path) -> None:
    arm.write_text(URDF.replace('lower="-1"', 'lower="x"'))
    result = cli("exclude", "suggest", arm, *FEW)
    assert result.code == 0
    assert "see phyzctl validate" in result.err
