"""`validate` with variants: every combination of arguments is judged, and told of once."""

from __future__ import annotations

from pathlib import Path

import pytest

from phyzctl.cli.judging import Judged
from phyzctl.cli.variants import merged
from tests.cli.conftest import GOOD, Cli
from tests.report import cases

pytest.importorskip("xacro")

ARM = """<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="side" default="left"/>
  <xacro:arg name="upper" default="1"/>
  <xacro:include filename="$(arg side).xacro"/>
  <link name="base"/>
  <link name="hand"><inertial><mass value="1"/>
    <inertia ixx="0.012" iyy="0.013" izz="0.011" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="wrist" type="revolute">
    <parent link="base"/>
    <child link="hand"/>
    <axis xyz="0 0 1"/>
    <limit lower="-1" upper="$(arg upper)" effort="1" velocity="1"/>
  </joint>
</robot>
"""
SIDE = "<robot xmlns:xacro='http://www.ros.org/wiki/xacro'><material name='m'/></robot>"
SETTINGS = """\
select = ["J201"]
[[variant]]
files = ["arm.urdf.xacro"]
args = { side = ["left", "right"], upper = [1, 2] }
"""


@pytest.fixture
def arm(workspace: Path) -> Path:
    (workspace / "arm.urdf.xacro").write_text(ARM)
    for side in ("left", "right"):
        (workspace / f"{side}.xacro").write_text(SIDE)
    (workspace / "phyzctl.toml").write_text(SETTINGS)
    return workspace


def wrong(out: str) -> list[str]:
    """What is said behind the findings' messages."""
    lines = [line for line in out.splitlines() if "[J201]" in line]
    return [line.partition("upper limit ")[2] for line in lines]


def test_all_are_right(cli: Cli, arm: Path) -> None:
    assert cli("validate", "arm.urdf.xacro") == (0, "no issues in 1 file\n", "")


def test_what_is_wrong_in_all_is_told_once(cli: Cli, arm: Path) -> None:
    (arm / "arm.urdf.xacro").write_text(ARM.replace('upper="$(arg upper)"', 'upper="-2"'))
    code, out, _ = cli("validate", "arm.urdf.xacro")
    assert code == 1
    assert wrong(out) == ["-2"]


def test_what_is_wrong_in_some_says_in_which(cli: Cli, arm: Path) -> None:
    (arm / "phyzctl.toml").write_text(SETTINGS.replace("[1, 2]", "[1, -2]"))
    code, out, _ = cli("validate", "arm.urdf.xacro")
    assert code == 1
    assert wrong(out) == ["-2 (with side=left upper=-2, side=right upper=-2)"]
    assert out.startswith("arm.urdf.xacro:12:")


def test_many_combinations_are_counted(cli: Cli, arm: Path) -> None:
    (arm / "x.xacro").write_text(SIDE)
    (arm / "phyzctl.toml").write_text(
        SETTINGS.replace("[1, 2]", "[1, -2]").replace('"right"', '"right", "x"')
    )
    (found,) = wrong(cli("validate", "arm.urdf.xacro").out)
    assert found == "-2 (with side=left upper=-2, side=right upper=-2 and 1 more)"


def test_the_command_line_settles_an_argument(cli: Cli, arm: Path) -> None:
    (arm / "phyzctl.toml").write_text(SETTINGS.replace("[1, 2]", "[1, -2]"))
    assert cli("validate", "arm.urdf.xacro", "--xacro-arg", "upper=3").code == 0
    out = cli("validate", "arm.urdf.xacro", "--xacro-arg", "side=left").out
    assert wrong(out) == ["-2 (with upper=-2)"]


def test_other_files_are_judged_as_ever(cli: Cli, arm: Path) -> None:
    (arm / "good.urdf").write_text(GOOD)
    assert cli("validate", "good.urdf", "-q").code == 0


def test_jobs_and_formats_see_the_same(cli: Cli, arm: Path) -> None:
    (arm / "phyzctl.toml").write_text(SETTINGS.replace("[1, 2]", "[1, -2]"))
    (arm / "good.urdf").write_text(GOOD)
    alone = cli("validate", "arm.urdf.xacro", "good.urdf", "-f", "json")
    assert cli("validate", "arm.urdf.xacro", "good.urdf", "-f", "json", "-j2") == alone
    page = cli("validate", "arm.urdf.xacro", "-f", "html").out
    assert '"path":"arm.urdf.xacro"' in page


def test_a_baseline_knows_findings_of_variants(cli: Cli, arm: Path) -> None:
    (arm / "phyzctl.toml").write_text(SETTINGS.replace("[1, 2]", "[1, -2]"))
    cli("validate", "arm.urdf.xacro", "--write-baseline", "known.json")
    assert cli("validate", "arm.urdf.xacro", "--baseline", "known.json").code == 0


def test_a_robot_counts_as_read_when_all_of_it_are() -> None:
    one = Judged([cases.LIMIT_ISSUE], ("a",), {"a": "x"})
    none = Judged([cases.LIMIT_ISSUE, cases.FILE_ISSUE], ("a", "b"), {"b": "y"}, is_robot=False)
    both = merged({"p=1": one, "p=2": none})
    assert not both.is_robot
    assert both.documents == ("a", "b")
    assert both.texts == {"a": "x", "b": "y"}
    assert [issue.message for issue in both.issues] == [
        "lower limit 1 is above upper limit -1",
        "no links (with p=2)",
    ]
