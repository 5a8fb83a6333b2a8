"""The engine survives whatever a description holds: every rule, on damaged files and on NaN."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phyzctl.config import TARGETS, Config
from phyzctl.formats import read_bytes
from phyzctl.formats.format import Reading
from phyzctl.issues import Issues
from phyzctl.lint.engine import lint
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import (
    Dynamics,
    Geom,
    Inertia,
    Inertial,
    Joint,
    JointKind,
    JointLimit,
    Link,
    Mimic,
    Safety,
)
from tests.corpus import SAMPLES
from tests.lint.support import codes_of

EVERYTHING = Config(pedantic=True, target=TARGETS)
TEXTS = [(SAMPLES / name).read_bytes() for name in ("arm_gripper.urdf", "six_axis_arm.urdf")]
_VALUE = re.compile(rb'"[^"]*"')
_WORDS = st.sampled_from(
    ["", " ", "nan", "inf", "-1", "0", "1e999", "0 0 0", "1 2", "fixed", "world", "elbow", "${x}"]
)


def judge(data: bytes) -> None:
    issues = Issues()
    lint(read_bytes(data, "robot.urdf", issues), issues, EVERYTHING)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(TEXTS), st.lists(st.tuples(st.integers(0, 10_000), _WORDS), max_size=8))
def test_any_value_can_be_anything(text: bytes, changes: list[tuple[int, str]]) -> None:
    for index, word in changes:
        spans = [match.span() for match in _VALUE.finditer(text)]
        start, end = spans[index % len(spans)]
        text = text[: start + 1] + word.encode() + text[end - 1 :]
    judge(text)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(TEXTS), st.lists(st.integers(0, 10_000), max_size=8))
def test_any_line_can_be_missing(text: bytes, dropped: list[int]) -> None:
    lines = text.split(b"\n")
    for index in dropped:
        del lines[index % len(lines)]
    judge(b"\n".join(lines))


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, 1e308, 5e-324, -0.0])
@pytest.mark.parametrize("kind", list(JointKind))
@pytest.mark.parametrize("dialect", ["urdf", "mjcf", None])
def test_a_robot_of_strange_numbers(number: float, kind: JointKind, dialect: str | None) -> None:
    vector = (number, number, number)
    joint = Joint(
        "hinge",
        kind,
        "base",
        "arm",
        xyz=vector,
        rpy=vector,
        axis=vector,
        limit=JointLimit(number, number, number, number),
        dynamics=Dynamics(number, number),
        mimic=Mimic("lead", number, number),
        safety=Safety(number, number, number, number),
    )
    lead = Joint("lead", kind, "base", "side", limit=JointLimit(-1.0, 1.0, number, number))
    inertial = Inertial(number, Inertia(*(number,) * 6), vector, vector)
    builder = RobotBuilder("r", dialect=dialect).link(Link("base"))
    builder.joint(joint).joint(lead).inertial("arm", inertial).visual("arm", Geom(None, xyz=vector))
    lint(Reading(builder.build(Issues())), [], EVERYTHING)


def test_a_robot_of_nothing() -> None:
    lint(Reading(RobotBuilder("").build(Issues())), [], EVERYTHING)


@pytest.mark.parametrize("unknown", [None])
def test_a_robot_of_unknown_values(unknown: None) -> None:
    joint = Joint("j", JointKind.REVOLUTE, "a", "b", xyz=unknown, rpy=unknown, axis=unknown)
    mimic = Joint("m", JointKind.REVOLUTE, "b", "c", mimic=Mimic("j", unknown, unknown))
    builder = RobotBuilder("r").link(Link("a")).joint(joint).joint(mimic)
    builder.inertial("b", Inertial(unknown, unknown, unknown, unknown))
    lint(Reading(builder.build(Issues())), [], EVERYTHING)


def test_very_many_joints_are_judged_in_bounded_time() -> None:
    count = 5_000
    links = "".join(f'<link name="l{n}"/>' for n in range(count))
    joints = "".join(
        f'<joint name="j{n}" type="revolute"><parent link="l{n - 1}"/><child link="l{n}"/>'
        '<axis xyz="0 0 2"/><limit lower="3.1416" upper="-3.1416" effort="0" velocity="0"/></joint>'
        for n in range(1, count)
    )
    found = codes_of(f'<robot name="chain">{links}{joints}</robot>', Config(select=("J",)))
    assert found.count("J201") == found.count("J210") == count - 1


def test_samples_are_clean(project_root: Path) -> None:
    for path in sorted((project_root / "sample_robots").glob("*.urdf")):
        issues = Issues()
        found = lint(
            read_bytes(path.read_bytes(), str(path), issues), issues, Config(pedantic=True)
        )
        assert [str(issue) for issue in found] == []
