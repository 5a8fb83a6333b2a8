"""Every verb that reads robots reads xacros: arguments, packages, folders, configuration."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import phyzctl
from tests.cli.conftest import Cli

ARM = """<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="side" default="left"/>
  <xacro:include filename="$(find parts)/macros/part.xacro"/>
  <xacro:part name="$(arg side)_base"/>
</robot>
"""
PART = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:macro name="part" params="name">
    <link name="${name}">
      <collision><geometry><sphere radius="0.1"/></geometry></collision>
      <inertial><mass value="2"/>
        <inertia ixx="0.1" iyy="0.1" izz="0.12" ixy="0" ixz="0" iyz="0"/></inertial>
    </link>
  </xacro:macro>
</robot>
"""


@pytest.fixture
def robots(workspace: Path) -> Path:
    for name in ("arm/urdf", "parts/macros"):
        (workspace / name).mkdir(parents=True)
    (workspace / "parts/package.xml").write_text("<package><name>parts</name></package>")
    (workspace / "parts/macros/part.xacro").write_text(PART)
    (workspace / "arm/urdf/arm.urdf.xacro").write_text(ARM)
    return workspace


def test_validate_finds_the_robot_and_passes_over_what_it_includes(cli: Cli, robots: Path) -> None:
    code, out, _ = cli("validate", ".", "--format", "json")
    assert code == 0
    assert json.loads(out)["files"] == ["arm/urdf/arm.urdf.xacro"]


def test_a_folder_of_macros_holds_no_robot(cli: Cli, robots: Path) -> None:
    code, _, err = cli("validate", "parts")
    assert code == 2
    assert "there is no robot below 'parts'" in err


def test_a_library_that_is_named_is_told_of(cli: Cli, robots: Path) -> None:
    code, out, _ = cli("validate", "parts/macros/part.xacro", "--no-source")
    assert code == 0
    assert "parts/macros/part.xacro:1:1: info[X024]" in out


@pytest.mark.parametrize("spelling", ["side=right", "side:=right"])
def test_arguments(cli: Cli, robots: Path, spelling: str) -> None:
    file = "arm/urdf/arm.urdf.xacro"
    assert cli("convert", file, "-o", "arm.urdf", "--xacro-arg", spelling, "-q").code == 0
    assert [link.name for link in phyzctl.load("arm.urdf").links] == ["right_base"]
    assert "right_base" in cli("tree", file, "--xacro-arg", spelling).out
    assert "right_base" in cli("info", file, "--xacro-arg", spelling).out
    assert cli("diff", "arm.urdf", file, "--xacro-arg", spelling) == (0, "", "")
    assert cli("diff", "arm.urdf", file).code == 1


def test_an_argument_wants_a_name(cli: Cli, robots: Path) -> None:
    code, _, err = cli("info", "arm/urdf/arm.urdf.xacro", "--xacro-arg", "right")
    assert code == 2
    assert "--xacro-arg wants NAME=VALUE, not 'right'" in err


def test_arguments_stand_in_the_configuration(cli: Cli, robots: Path) -> None:
    file = "arm/urdf/arm.urdf.xacro"
    Path("phyzctl.toml").write_text('[xacro-args]\nside = "upper"\n')
    assert "upper_base" in cli("tree", file).out
    assert "right_base" in cli("tree", file, "--xacro-arg", "side=right").out
    Path("phyzctl.toml").write_text("[xacro-args]\nside = []\n")
    assert "the argument 'side' must be a string or a number" in cli("tree", file).err


def test_packages_may_be_stated(cli: Cli, robots: Path) -> None:
    Path("parts").rename("elsewhere")
    Path("elsewhere/package.xml").unlink()
    file = "arm/urdf/arm.urdf.xacro"
    code, out, _ = cli("validate", file, "--no-source")
    assert code == 1
    assert f"{file}:3:3: error[F600] package 'parts' is not found" in out
    assert cli("validate", file, "--package-path", "parts=elsewhere").code == 0


def test_a_xacro_through_stdin(cli: Cli, robots: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = PART.replace("</robot>", '<xacro:part name="base"/></robot>')
    Path("r.urdf").write_text(text.replace("<robot", '<robot name="r"', 1))
    assert "base" in cli("tree", "r.urdf").out


def test_in_python(robots: Path) -> None:
    file = "arm/urdf/arm.urdf.xacro"
    assert phyzctl.load(file, xacro_args={"side": "b"}).links[0].name == "b_base"
    assert phyzctl.validate(file) == []
    whole = phyzctl.attach(phyzctl.load(file), phyzctl.load(file), "left_base", prefix="x_")
    assert len(whole.links) == 2


def test_runs_and_what_runs_them_again_take_arguments(cli: Cli, robots: Path) -> None:
    file, right = "arm/urdf/arm.urdf.xacro", ("--xacro-arg", "side=right")
    assert cli("smoke", file, "--xacro-arg", "side").code == 2
    assert cli("smoke", file, "--duration", "0.01", *right).code == 0
    assert cli("simulate", file, "-n", "3", "-o", "t.npz", *right).code == 0
    code, out, err = cli("trace", "verify", "t.npz", *right)
    assert (code, "the same digest" in out, err) == (0, True, "")
    assert f"{file} has changed since" in cli("trace", "verify", "t.npz").err
