"""Robots out of JSON: equal to what was written, faults with their places, hostile files."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import phyzctl
from phyzctl.formats import read, read_bytes, write
from phyzctl.formats.format import WriteOptions
from phyzctl.issues import Issue, Issues
from phyzctl.lint.engine import lint
from phyzctl.robot.elements import Mesh
from phyzctl.robot.robot import Robot
from tests.corpus import SAMPLES, robot_params

ROBOTS = sorted([*SAMPLES.glob("*.urdf"), *SAMPLES.glob("*.xml")])
CORPUS = [*robot_params("s", "robot"), *robot_params("s", "mujoco")]
SMALL: dict[str, Any] = {
    "schema": "phyzctl.robot/1",
    "name": "small",
    "links": [{"name": "base"}, {"name": "arm", "inertial": {"mass": 1.0}}],
    "joints": [{"name": "elbow", "kind": "fixed", "parent": "base", "child": "arm"}],
}


def decoded(document: Any) -> tuple[Robot | None, list[Issue]]:
    text = document if isinstance(document, bytes) else json.dumps(document, indent=1).encode()
    issues = Issues()
    return read_bytes(text, "small.json", issues).robot, list(issues)


def told(issues: list[Issue]) -> list[str]:
    return [f"{issue.code} {issue.message}" for issue in issues]


@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: path.name)
def test_a_sample_reads_back_equal_and_with_the_same_findings(path: Path) -> None:
    found, again = Issues(), Issues()
    reading = read(str(path), found)
    assert reading.robot is not None
    text = write(reading.robot, "json").text
    copy = read_bytes(text.encode(), str(path.with_suffix(".json")), again)
    assert copy.robot == reading.robot
    codes = [issue.code.id for issue in lint(reading, found, phyzctl.Config())]
    assert [issue.code.id for issue in lint(copy, again, phyzctl.Config())] == codes


@pytest.mark.parametrize("path", CORPUS)
def test_robots_of_the_corpus_read_back_with_their_meshes(path: Path) -> None:
    robot = read(str(path), Issues()).robot
    if robot is None:
        pytest.skip("nothing of a robot is in it")
    text = write(robot, "json", WriteOptions(str(path.parent))).text
    copy = read_bytes(text.encode(), str(path.with_suffix(".json")), Issues()).robot
    assert copy is not None
    assert _without_uris(copy) == _without_uris(robot)
    found = {mesh.name: mesh.file for mesh in robot.meshes if mesh.file}
    assert {mesh.name: mesh.file for mesh in copy.meshes if mesh.file} == found


def _without_uris(robot: Robot) -> Robot:
    """A written file names meshes by their path from its folder."""
    meshes = tuple(replace(mesh, uri=None) for mesh in robot.meshes)
    fields = tuple(replace(field, uri=None) for field in robot.heightfields)
    return replace(robot, meshes=meshes, heightfields=fields)


def test_elements_know_their_place() -> None:
    robot, issues = decoded(SMALL)
    assert robot is not None
    assert not issues
    arm = robot.links[1]
    assert arm.source is not None
    assert arm.inertial is not None
    assert arm.inertial.source is not None
    lines = json.dumps(SMALL, indent=1).splitlines()
    assert arm.source.line == lines.index('   "name": "arm",')
    assert '"inertial": {' in lines[(arm.inertial.source.line or 0) - 1]


WRONG = {
    "unknown key": (("links", 1, "mas"), 2.0, "$.links[1]: unknown key 'mas'"),
    "string for number": (
        ("links", 1, "inertial", "mass"),
        "heavy",
        "$.links[1].inertial.mass: expected float, found 'heavy'",
    ),
    "no such kind": (
        ("joints", 0, "kind"),
        "bendy",
        "$.joints[0].kind: 'bendy' is not one of fixed, revolute, ",
    ),
    "too short": (("joints", 0, "xyz"), [1, 2], "$.joints[0].xyz: expected 3 items, found 2"),
    "a list for an object": (("links", 0), [], "$.links[0]: expected an object, found list"),
    "no list": (("links",), 7, "$.links: expected a list, found 7"),
    "null": (("links", 0), None, "$.links[0]: expected an object, found NoneType"),
    "top key": (("link",), [], "$.link: unknown key 'link'; did you mean 'links'?"),
    "name": (("name",), 3, "$.name: expected a string, found 3"),
    "dialect": (("dialect",), "sdf", "$.dialect: 'sdf' is not one of urdf, mjcf, null"),
    "option": (("option",), {"timestep": []}, "$.option.timestep: expected float, found []"),
}


@pytest.mark.parametrize(("steps", "value", "words"), WRONG.values(), ids=WRONG)
def test_what_is_unfit_is_told_at_its_line(steps: Any, value: Any, words: str) -> None:
    document = json.loads(json.dumps(SMALL))
    holder = document
    for step in steps[:-1]:
        holder = holder[step]
    holder[steps[-1]] = value
    _, issues = decoded(document)
    first = next(issue for issue in issues if issue.code.id == "X022")
    assert words in first.message
    assert first.source is not None
    text = json.dumps(document, indent=1).splitlines()[(first.source.line or 0) - 1]
    key = re.findall(r"\w+", first.message.split(":")[0])[-1]
    assert f'"{key}":' in text or key.isdigit()


def test_one_unfit_element_costs_no_other() -> None:
    document = json.loads(json.dumps(SMALL))
    document["links"].append({"name": 5})
    document["sensors"] = [{"kind": 1}, {"nonsense": 1}]
    robot, issues = decoded(document)
    assert robot is not None
    assert [link.name for link in robot.links] == ["base", "arm"]
    assert [issue.code.id for issue in issues] == ["X022"] * 3


def test_structural_faults_are_those_of_any_format() -> None:
    document = json.loads(json.dumps(SMALL))
    document["joints"][0]["parent"] = "bse"
    document["links"].append({"name": "arm"})
    robot, issues = decoded(document)
    assert robot is not None
    assert {issue.code.id for issue in issues} == {"T404", "N301"}
    assert all(issue.source and issue.source.line for issue in issues)


OTHERS = {
    "no schema": (b"{}", "X002 this JSON is no robot: it states no schema"),
    "a report": (b'{"schema": "phyzctl.report/1"}', "its schema is 'phyzctl.report/1'"),
    "a later robot": (b'{"schema": "phyzctl.robot/2"}', "its schema is 'phyzctl.robot/2'"),
    "an odd schema": (b'{"schema": [1]}', "it states no schema"),
    "cut off": (b'{"schema": "phyzctl.robot/1", "name', "X021 a string is not closed"),
    "not UTF-8": (b'{"schema": "\xff\xfe"}', "X015 JSON is UTF-8, and this byte is not"),
    "deep": (b'{"a":' * 5000, "X018 values are nested more than"),
    "NUL": (b'{"a": "\0"}', "X021 a string is not closed, or holds a character"),
}


@pytest.mark.parametrize(("data", "words"), OTHERS.values(), ids=OTHERS)
def test_what_is_no_robot_makes_one_issue(data: bytes, words: str) -> None:
    robot, issues = decoded(data)
    assert robot is None
    assert len(issues) == 1
    assert words in told(issues)[0]
    assert issues[0].source is not None


def test_a_byte_order_mark_is_no_fault() -> None:
    assert decoded(b"\xef\xbb\xbf" + json.dumps(SMALL).encode())[1] == []


HOSTILE: dict[str, Any] = {
    "not finite": {"links": [{"name": "a", "inertial": {"mass": "NaN"}}]},
    "beyond floats": {"links": [{"name": "a", "inertial": {"mass": 10**400}}]},
    "huge counts": {
        "links": [
            {"name": "a", "geoms": [{"shape": None, "surface": {"condim": 10**20, "contype": -1}}]}
        ]
    },
    "reused name": {"links": [{"name": "a"}, {"name": "a"}], "joints": []},
    "dangling": {
        "actuators": [{"name": "m", "target": "none"}],
        "excludes": [{"first": "x", "second": "y"}],
        "keyframes": [{"name": "k", "qpos": ["Infinity"] * 9}],
    },
    "mesh": {"meshes": [{"name": "m", "faces": [[0, 1, 9]], "vertices": [[0, 0, "NaN"]]}]},
    "own ancestor": {"joints": [{"name": "j", "parent": "base", "child": "base"}]},
    "empty names": {"links": [{"name": ""}], "joints": [{"name": ""}]},
}


@pytest.mark.parametrize("dialect", ["urdf", "mjcf", None])
@pytest.mark.parametrize("changes", HOSTILE.values(), ids=HOSTILE)
def test_hostile_robots_are_judged_and_compiled(changes: Any, dialect: str | None) -> None:
    data = json.dumps({**SMALL, "dialect": dialect, **changes}).encode()
    issues = Issues()
    reading = read_bytes(data, "small.json", issues)
    lint(reading, issues, phyzctl.Config(pedantic=True))
    assert reading.robot is not None


def test_a_mesh_is_found_beside_the_file_and_missed_with_a_place(tmp_path: Path) -> None:
    (tmp_path / "cube.stl").write_bytes(b"")
    document = {
        **SMALL,
        "meshes": [
            {"name": "cube", "uri": "cube.stl"},
            {"name": "lost", "uri": "package://nowhere/lost.stl"},
            {"name": "gone", "uri": "gone.stl"},
            {"name": "mine", "uri": "/home/me/mine.stl"},
        ],
    }
    (tmp_path / "r.json").write_text(json.dumps(document))
    issues = Issues()
    robot = phyzctl.load(tmp_path / "r.json", issues=issues)
    assert robot.meshes[0] == Mesh("cube", "cube.stl")
    assert robot.meshes[0].file == str(tmp_path / "cube.stl")
    assert [issue.code.id for issue in issues] == ["F600", "F601", "F602"]
    assert all(issue.source and issue.source.column for issue in issues)
