"""`phyzctl diff`: text for people, JSON for programs, and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tests.cli.conftest import Cli
from tests.corpus import ROOT, SAMPLES

ARM = SAMPLES / "six_axis_arm.urdf"
SCHEMA = json.loads((ROOT / "schemas/diff.schema.json").read_text("utf-8"))

_ONE = """\
<robot name="r">
  <link name="base"/>
  <link name="arm"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="elbow" type="continuous"><parent link="base"/><child link="arm"/></joint>
</robot>
"""
_OTHER = (
    _ONE.replace('value="1"', 'value="2.5"')
    .replace('type="continuous">', 'type="continuous"><axis xyz="0 0 1"/>')
    .replace("</robot>", '<material name="red"><color rgba="1 0 0 1"/></material></robot>')
)


@pytest.fixture
def pair(workspace: Path) -> Path:
    (workspace / "a.urdf").write_text(_ONE)
    (workspace / "b.urdf").write_text(_OTHER)
    return workspace


def test_a_robot_and_itself(cli: Cli) -> None:
    assert cli("diff", ARM, ARM) == (0, "", "")


def test_each_difference_has_a_line(cli: Cli, pair: Path) -> None:
    code, out, err = cli("diff", "a.urdf", "b.urdf")
    assert (code, err) == (1, "")
    assert out.splitlines() == [
        "link 'arm': inertial.mass: 1 -> 2.5",
        "joint 'elbow': axis: [1.0, 0.0, 0.0] -> [0.0, 0.0, 1.0]",
        "material 'red': only in the second",
    ]
    assert "only in the first" in cli("diff", "b.urdf", "a.urdf").out


def test_json_follows_its_schema(cli: Cli, pair: Path) -> None:
    code, out, _ = cli("diff", "a.urdf", "b.urdf", "--format", "json")
    document = json.loads(out)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    assert code == 1
    assert (document["first"], document["second"]) == ("a.urdf", "b.urdf")
    assert document["differences"][0] == {
        "kind": "link",
        "name": "arm",
        "path": "inertial.mass",
        "before": 1.0,
        "after": 2.5,
    }
    assert document["differences"][2]["after"]["rgba"] == [1.0, 0.0, 0.0, 1.0]


def test_a_tolerance(cli: Cli, pair: Path) -> None:
    assert len(cli("diff", "a.urdf", "b.urdf", "--tolerance", "2").out.splitlines()) == 1
    code, _, err = cli("diff", "a.urdf", "b.urdf", "--tolerance", "nan")
    assert (code, err) == (2, "phyzctl: --tolerance takes a number from 0 on, not nan\n")


def test_twins_in_two_formats_share_their_masses(cli: Cli) -> None:
    out = cli("diff", ARM, ARM.with_suffix(".xml")).out
    assert out
    assert "inertial.mass" not in out


def test_what_reading_finds_is_noted(cli: Cli, robots: Path) -> None:
    (robots / "broken.urdf").write_text(_ONE.replace('type="continuous"', 'type="turning"'))
    code, _, err = cli("diff", "good.urdf", "broken.urdf")
    assert code == 1
    assert err == "phyzctl: reading broken.urdf found 1 error; see phyzctl validate\n"


def test_a_file_that_is_not_there(cli: Cli, workspace: Path) -> None:
    assert cli("diff", ARM, "nope.urdf").code == 2
