"""The public face: what the command line does, from a program."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import phyzctl
from phyzctl import BuildError, Config, Issues, LoadError, NotFoundError, PhyzctlError, Severity
from tests.corpus import SAMPLES

ARM = SAMPLES / "six_axis_arm.urdf"
SWAPPED = SAMPLES / "broken/J201_limits_swapped.urdf"
UNCLOSED = SAMPLES / "broken/X001_tag_not_closed.urdf"


def test_the_promised_names_are_there() -> None:
    builder = {"Calibration", "Dynamics", "Joint", "JointKind", "JointLimit", "Mimic", "Safety"}
    model = {"compile", "ContactMaterial", "Model", "State"}
    issues = {"BuildError", "Issue", "Issues", "LoadError", "Severity", "Source"}
    verbs = {"load", "save", "validate", "RobotBuilder", "Robot"}
    assert builder | model | issues | verbs <= set(phyzctl.__all__)


def test_importing_the_package_imports_no_part_of_it() -> None:
    script = "import phyzctl, sys; print([m for m in sys.modules if m.startswith('phyzctl.')])"
    command = [sys.executable, "-P", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


# load


def test_load() -> None:
    robot = phyzctl.load(ARM)
    assert robot == phyzctl.load(str(ARM))
    assert robot.dialect == "urdf"
    assert phyzctl.compile(robot).nv == 6


def test_load_raises_with_every_issue() -> None:
    with pytest.raises(LoadError) as caught:
        phyzctl.load(UNCLOSED)
    assert [issue.code.id for issue in caught.value.issues] == ["X001"]
    assert str(UNCLOSED) in str(caught.value)


def test_load_reports_into_a_list_and_goes_on() -> None:
    issues = Issues()
    robot = phyzctl.load(SAMPLES / "broken/T404_parent_unknown.urdf", issues=issues)
    assert [issue.code.id for issue in issues.errors] == ["T404"]
    assert robot.links
    with pytest.raises(LoadError):
        phyzctl.load(SAMPLES / "broken/T404_parent_unknown.urdf")


def test_load_raises_with_a_list_too_when_there_is_no_robot() -> None:
    issues = Issues()
    with pytest.raises(LoadError):
        phyzctl.load(UNCLOSED, issues=issues)
    assert [issue.code.id for issue in issues] == ["X001"]


def test_load_of_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="there is no file"):
        phyzctl.load(tmp_path / "nope.urdf")


def test_load_finds_packages_where_it_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.urdf").write_text(
        "<robot name='r'><link name='l'><visual><geometry>"
        "<mesh filename='package://p/a.stl'/></geometry></visual></link></robot>"
    )
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/a.stl").write_bytes(bytes(84))
    issues = Issues()
    path = {"p": str(tmp_path / "elsewhere")}
    robot = phyzctl.load(tmp_path / "a.urdf", issues=issues, package_path=path)
    assert robot.meshes[0].file == str(tmp_path / "elsewhere/a.stl")
    assert not [issue for issue in issues if issue.code.id.startswith("F")]


# validate


def test_validate_a_file() -> None:
    (issue,) = phyzctl.validate(SWAPPED)
    assert issue.code.id == "J201"
    assert issue.source is not None
    assert issue.source.path == str(SWAPPED)
    assert issue.source.line == 18


def test_validate_follows_a_config() -> None:
    config = Config(severity={"J201": Severity.INFO})
    (issue,) = phyzctl.validate(str(SWAPPED), config=config)
    assert issue.severity is Severity.INFO
    assert phyzctl.validate(SWAPPED, config=Config(ignore=("J201",))) == []


def test_validate_knows_no_file_around_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "phyzctl.toml").write_text('ignore = ["J201"]')
    assert phyzctl.validate(SWAPPED) != []
    assert phyzctl.validate(SWAPPED, config=phyzctl.load_config(".")) == []


def test_validate_a_robot_and_a_model() -> None:
    robot = phyzctl.load(SWAPPED, issues=Issues())
    found = [issue.code.id for issue in phyzctl.validate(robot)]
    assert "J201" in found
    assert [issue.code.id for issue in phyzctl.validate(phyzctl.compile(robot))] == found


def test_validate_a_robot_made_in_code() -> None:
    builder = phyzctl.RobotBuilder("r")
    limit = phyzctl.JointLimit(lower=1.0, upper=-1.0)
    kind = phyzctl.JointKind.REVOLUTE
    joint = phyzctl.Joint(name="j", kind=kind, parent="a", child="b", limit=limit)
    builder.link(phyzctl.Link("a")).joint(joint)
    with pytest.raises(BuildError, match="J201"):
        builder.build()
    robot = builder.build(Issues())
    (issue,) = [each for each in phyzctl.validate(robot) if each.code.id == "J201"]
    assert issue.source is None
    assert issue.subject == "joint 'j'"


# save


def test_save_and_read_back(tmp_path: Path) -> None:
    robot = phyzctl.load(ARM)
    assert phyzctl.save(robot, tmp_path / "arm.json") == []
    document = json.loads((tmp_path / "arm.json").read_text(encoding="utf-8"))
    assert phyzctl.Robot.from_json(document) == robot


def test_save_takes_the_format_it_is_told(tmp_path: Path) -> None:
    phyzctl.save(phyzctl.load(ARM), tmp_path / "arm.txt", format="json")
    assert (tmp_path / "arm.txt").read_text().startswith("{")


@pytest.mark.parametrize("name", ["arm.pdf", "arm"])
def test_save_names_what_can_be_written(tmp_path: Path, name: str) -> None:
    with pytest.raises(PhyzctlError, match=r"can't write the format .*; there is .*json"):
        phyzctl.save(phyzctl.load(ARM), tmp_path / name)
    assert not (tmp_path / name).exists()


def test_save_where_nothing_can_be_written(tmp_path: Path) -> None:
    with pytest.raises(PhyzctlError, match=r"can't write .*No such file"):
        phyzctl.save(phyzctl.load(ARM), tmp_path / "no/arm.json")


@pytest.mark.parametrize("name", ["arm.urdf", "arm.xml", "arm.mjcf"])
def test_save_tells_what_was_lost(tmp_path: Path, name: str) -> None:
    lost = phyzctl.save(phyzctl.load(ARM), tmp_path / name)
    again = phyzctl.load(tmp_path / name)
    assert phyzctl.compile(again).nv == 6
    if name == "arm.urdf":
        assert (lost, again) == ([], phyzctl.load(ARM))
    else:
        assert [issue.code.id for issue in lost if "velocity" in issue.message] == ["L006"]


def test_save_drives_the_joints_and_fuses_links(tmp_path: Path) -> None:
    robot = phyzctl.load(ARM)
    phyzctl.save(robot, tmp_path / "arm.xml", actuators="motor", fuse=True, base="fixed")
    again = phyzctl.load(tmp_path / "arm.xml")
    assert len(again.actuators) == 6
    assert len(again.links) < len(robot.links) + 1
