"""`exclude suggest --config-pkg`: what a MoveIt config package is about."""

from __future__ import annotations

from pathlib import Path

import pytest

from phyzctl.cli.moveit import ConfigPackage, config_package
from phyzctl.errors import NotFoundError, PhyzctlError
from tests.cli.conftest import Cli
from tests.cli.test_exclude import FEW, SRDF, URDF

# As MoveIt 1 and MoveIt 2 write it.
FIRST = """\
moveit_setup_assistant_config:
  URDF:
    package: arm_description
    relative_path: urdf/arm.urdf
    xacro_args: ""
  SRDF:
    relative_path: config/arm.srdf
  CONFIG:
    author_name: Jane Doe
    author_email: jane@example.com
    generated_timestamp: 1636310680
"""
SECOND = """\
moveit_setup_assistant_config:
  urdf:
    package: arm_description
    relative_path: urdf/arm.urdf
    xacro_args: "--inorder size:=2 'colour:=dark'"
  srdf:
    relative_path: config/arm.srdf
  package_settings:
    author_name: Jane Doe
    generated_timestamp: 1672757808
"""


@pytest.fixture
def package(workspace: Path) -> Path:
    """A config package beside the package that it takes its robot from."""
    described = workspace / "arm_description"
    (described / "urdf").mkdir(parents=True)
    (described / "package.xml").write_text("<package><name>arm_description</name></package>")
    (described / "urdf" / "arm.urdf").write_text(URDF)
    config = workspace / "arm_moveit_config"
    (config / "config").mkdir(parents=True)
    (config / "package.xml").write_text("<package><name>arm_moveit_config</name></package>")
    (config / "config" / "arm.srdf").write_text(SRDF)
    (config / ".setup_assistant").write_text(FIRST)
    return config


def write(package: Path, text: str) -> None:
    (package / ".setup_assistant").write_text(text)


@pytest.mark.parametrize("text", [FIRST, SECOND])
def test_robot_and_srdf_are_found(package: Path, text: str) -> None:
    write(package, text)
    found = config_package(str(package), {})
    assert found.urdf == str(package.parent / "arm_description/urdf/arm.urdf")
    assert found.srdf == str(package / "config/arm.srdf")


def test_arguments_of_the_xacro_are_kept(package: Path) -> None:
    write(package, SECOND.replace("'colour:=dark'", "colour:=dark"))
    assert config_package(str(package), {}).xacro_args == ("size:=2", "colour:=dark")


def test_nothing_is_named_nothing_is_found() -> None:
    assert config_package(None, {}) == ConfigPackage()


def test_without_a_package_the_robot_is_in_this_one(package: Path) -> None:
    write(package, FIRST.replace("package: arm_description", 'package: ""  # here'))
    assert config_package(str(package), {}).urdf == str(package / "urdf/arm.urdf")


def test_an_absolute_path_stays_one(package: Path, tmp_path: Path) -> None:
    robot = tmp_path / "elsewhere.urdf"
    text = FIRST.replace("package: arm_description", "package:").replace(
        "urdf/arm.urdf", f"'{robot}'  # not in a package"
    )
    write(package, text)
    assert config_package(str(package), {}).urdf == str(robot)


def test_packages_are_found_by_name(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = config_package("my_config", {"my_config": str(package)})
    assert found.srdf == str(package / "config/arm.srdf")
    monkeypatch.chdir(package.parent / "arm_description")  # beside it
    assert config_package("arm_moveit_config", {}) == found


def test_the_package_of_the_robot_may_be_stated(package: Path, tmp_path: Path) -> None:
    moved = tmp_path / "moved"
    (package.parent / "arm_description").rename(moved)
    (moved / "package.xml").unlink()
    with pytest.raises(NotFoundError, match="no package 'arm_description'; say where with"):
        config_package(str(package), {})
    found = config_package(str(package), {"arm_description": str(moved)})
    assert found.urdf == str(moved / "urdf/arm.urdf")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "says no relative_path of the URDF"),
        (FIRST.replace("  SRDF:", "  SDF:"), "says no relative_path of the SRDF"),
        (FIRST.replace("urdf/arm.urdf", '""'), "says no relative_path of the URDF"),
        (FIRST.replace("urdf/arm.urdf", "hand.urdf"), "no 'hand.urdf' in 'arm_description'"),
        ("\ufeff: - [{\n:\n\t:x", "says no relative_path of the URDF"),
    ],
)
def test_what_settings_do_not_say(package: Path, text: str, sentence: str) -> None:
    write(package, text)
    with pytest.raises(PhyzctlError, match=sentence):
        config_package(str(package), {})


def test_a_folder_that_is_no_config_package(package: Path) -> None:
    with pytest.raises(NotFoundError, match=r"no MoveIt config package: it has no \.setup_assist"):
        config_package(str(package / "config"), {})
    with pytest.raises(NotFoundError, match="no folder or package 'nothing'"):
        config_package("nothing", {})
    (package / ".setup_assistant").unlink()
    (package / ".setup_assistant").mkdir()
    with pytest.raises(PhyzctlError, match="can't read"):
        config_package(str(package), {})


def test_the_srdf_of_the_package_is_written(cli: Cli, package: Path) -> None:
    result = cli("exclude", "suggest", "--config-pkg", package, "--write", *FEW)
    assert result.code == 0
    assert 'reason="Adjacent"' in (package / "config/arm.srdf").read_text()
    assert cli("exclude", "suggest", "--config-pkg", package, "--check", *FEW).code == 0


def test_an_srdf_besides_goes_first(cli: Cli, package: Path) -> None:
    other = package.parent / "other.srdf"
    other.write_text(SRDF)
    words = ("--config-pkg", package, "--srdf", other, "--write")
    assert cli("exclude", "suggest", *words, *FEW).code == 0
    assert other.read_text() != SRDF
    assert (package / "config/arm.srdf").read_text() == SRDF


def test_a_robot_besides_is_one_too_many(cli: Cli, package: Path) -> None:
    robot = package.parent / "arm_description/urdf/arm.urdf"
    result = cli("exclude", "suggest", robot, "--config-pkg", package)
    assert result.code == 2
    assert "given twice: as an argument and by --config-pkg" in result.err
