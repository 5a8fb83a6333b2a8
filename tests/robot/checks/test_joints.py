"""Joints: each check on its boundary, on what isn't known, and on what it must not look at."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from phyzctl.issues import Finding, Issues, Severity
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.checks import joints
from phyzctl.robot.elements import (
    Dynamics,
    Joint,
    JointKind,
    JointLimit,
    Link,
    Mimic,
    Safety,
)
from phyzctl.robot.robot import Robot

Check = Callable[[Robot], Iterator[Finding]]

LIMIT = JointLimit(-1.0, 1.0, 1.0, 1.0)
HINGE = Joint("hinge", JointKind.REVOLUTE, "base", "arm", limit=LIMIT)


def robot(*stated: Joint, dialect: str | None = "urdf") -> Robot:
    builder = RobotBuilder("r", dialect=dialect).link(Link("base"))
    for joint in stated:
        builder.joint(joint)
    return builder.build(Issues())


def chain(*stated: Joint) -> Robot:
    """Joints below each other, whatever parents they state."""
    links = ["base", *(joint.name for joint in stated)]
    return robot(*(replace(j, parent=links[i], child=links[i + 1]) for i, j in enumerate(stated)))


def places(check: Check, *stated: Joint, dialect: str | None = "urdf") -> list[str | None]:
    return [finding.attribute for finding in check(robot(*stated, dialect=dialect))]


def with_limit(lower: float | None, upper: float | None, kind: JointKind = HINGE.kind) -> Joint:
    return replace(HINGE, kind=kind, limit=JointLimit(lower, upper, 1.0, 1.0))


@pytest.mark.parametrize("kind", list(JointKind))
def test_only_bounded_kinds_need_a_limit(kind: JointKind) -> None:
    found = places(joints.limit_missing, replace(HINGE, kind=kind, limit=JointLimit()))
    needs = kind in (JointKind.REVOLUTE, JointKind.PRISMATIC)
    assert found == (["limit@"] if needs else [])


def test_in_mjcf_a_joint_without_limit_is_unlimited() -> None:
    slide = replace(HINGE, kind=JointKind.PRISMATIC, limit=JointLimit())
    assert places(joints.limit_missing, slide, dialect="mjcf") == []
    assert places(joints.limit_missing, slide, dialect=None) == ["limit@"]


def test_a_limit_that_states_anything_is_there() -> None:
    assert places(joints.limit_missing, replace(HINGE, limit=JointLimit(effort=1.0))) == []


INVERTED = {
    "in order": (-1.0, 1.0, False),
    "swapped": (1.0, -1.0, True),
    "equal": (0.5, 0.5, False),
    "within rounding": (1.0 + 1e-10, 1.0, False),
    "just beyond it": (1.0 + 1e-8, 1.0, True),
    "a missing bound is 0": (None, -1.0, True),
    "and may be right": (None, 1.0, False),
    "NaN is another check's": (math.nan, 1.0, False),
    "infinite": (math.inf, -math.inf, True),
}


@pytest.mark.parametrize(("lower", "upper", "wrong"), INVERTED.values(), ids=INVERTED)
def test_limit_inverted(lower: float | None, upper: float | None, *, wrong: bool) -> None:
    expected = ["limit@lower"] if wrong else []
    assert places(joints.limit_inverted, with_limit(lower, upper)) == expected


def test_bounds_mean_nothing_on_a_wheel_but_in_mjcf_they_are_a_range() -> None:
    wheel = with_limit(1.0, -1.0, JointKind.CONTINUOUS)
    assert places(joints.limit_inverted, wheel) == []
    assert places(joints.limit_inverted, wheel, dialect="mjcf") == ["range"]
    weld = with_limit(1.0, -1.0, JointKind.FIXED)
    assert places(joints.limit_inverted, weld) == []


def test_the_message_has_the_numbers() -> None:
    (finding,) = joints.limit_inverted(robot(with_limit(0.5, -0.25)))
    assert "0.5" in finding.message
    assert "-0.25" in finding.message


SOFT = {
    "inside": (Safety(-0.9, 0.9, 1.0, 1.0), []),
    "equal": (Safety(-1.0, 1.0, 1.0, 1.0), []),
    "rounded": (Safety(-1.0 - 1e-7, 1.0, 1.0, 1.0), []),
    "below": (Safety(-1.1, 0.9, 1.0, 1.0), ["soft_lower_limit"]),
    "above": (Safety(-0.9, 1.1, 1.0, 1.0), ["soft_upper_limit"]),
    "both": (Safety(-9.0, 9.0, 1.0, 1.0), ["soft_lower_limit", "soft_upper_limit"]),
    "not written": (Safety(None, None, 1.0, 1.0), []),
    "NaN": (Safety(math.nan, 0.0, 1.0, 1.0), []),
}


@pytest.mark.parametrize(("safety", "names"), SOFT.values(), ids=SOFT)
def test_soft_limit_outside(safety: Safety, names: list[str]) -> None:
    found = places(joints.soft_limit_outside, replace(HINGE, safety=safety))
    assert found == [f"safety_controller@{name}" for name in names]


def test_soft_limits_are_not_compared_with_hard_ones_that_nobody_can_read() -> None:
    joint = replace(HINGE, safety=Safety(-0.5, 0.5, 1.0, 1.0), limit=JointLimit(None, None, 1.0))
    assert places(joints.soft_limit_outside, joint) == []


def test_soft_limits_are_an_error_only_where_a_program_states_them() -> None:
    joint = replace(HINGE, safety=Safety(-2.0, 0.0, 1.0, 1.0))
    for dialect, severity in (("urdf", None), (None, Severity.ERROR)):
        (finding,) = joints.soft_limit_outside(robot(joint, dialect=dialect))
        assert finding.severity is severity


@pytest.mark.parametrize("kind", list(JointKind))
def test_only_a_joint_that_has_an_axis_needs_a_direction(kind: JointKind) -> None:
    found = places(joints.axis_zero, replace(HINGE, kind=kind, axis=(0.0, 0.0, 0.0)))
    assert bool(found) == (kind not in (JointKind.FIXED, JointKind.FLOATING, JointKind.SPHERICAL))


@pytest.mark.parametrize(
    ("length", "wrong"), [(0.0, True), (1e-10, True), (1e-8, False), (1.0, False)]
)
def test_axis_zero(length: float, *, wrong: bool) -> None:
    joint = replace(HINGE, axis=(0.0, -length, 0.0))
    assert places(joints.axis_zero, joint) == (["axis@xyz"] if wrong else [])
    assert places(joints.axis_zero, joint, dialect="mjcf") == (["axis"] if wrong else [])


def test_an_axis_that_is_not_known_is_not_zero() -> None:
    assert places(joints.axis_zero, replace(HINGE, axis=None)) == []


DAMPING = {
    "none": (None, []),
    "zero": (Dynamics(0.0, 0.0), []),
    "negative zero": (Dynamics(-0.0, -0.0), []),
    "not written": (Dynamics(), []),
    "NaN": (Dynamics(math.nan, 1.0), []),
    "damping": (Dynamics(-1e-12, 0.0), ["damping"]),
    "friction": (Dynamics(0.0, -1.0), ["friction"]),
    "both": (Dynamics(-1.0, -1.0), ["damping", "friction"]),
}


@pytest.mark.parametrize(("dynamics", "names"), DAMPING.values(), ids=DAMPING)
def test_damping_negative(dynamics: Dynamics | None, names: list[str]) -> None:
    joint = replace(HINGE, dynamics=dynamics)
    assert places(joints.damping_negative, joint) == [f"dynamics@{name}" for name in names]


def test_in_mjcf_friction_has_another_name() -> None:
    joint = replace(HINGE, dynamics=Dynamics(0.0, -1.0))
    assert places(joints.damping_negative, joint, dialect="mjcf") == ["frictionloss"]


def follower(name: str, leader: str) -> Joint:
    return replace(HINGE, name=name, mimic=Mimic(leader))


CIRCLES = {
    "nobody follows": ([HINGE], []),
    "one follows": ([HINGE, follower("a", "hinge")], []),
    "a chain": ([HINGE, follower("a", "hinge"), follower("b", "a")], []),
    "itself": ([follower("a", "a")], ["a -> a"]),
    "two": ([follower("a", "b"), follower("b", "a")], ["a -> b -> a"]),
    "a tail is not reported": (
        [follower("tail", "a"), follower("a", "b"), follower("b", "a")],
        ["a -> b -> a"],
    ),
    "two circles": (
        [follower("a", "b"), follower("b", "a"), follower("c", "c")],
        ["a -> b -> a", "c -> c"],
    ),
}


@pytest.mark.parametrize(("stated", "circles"), CIRCLES.values(), ids=CIRCLES)
def test_mimic_cycle(stated: list[Joint], circles: list[str]) -> None:
    found = [finding.message.partition(": ")[2] for finding in joints.mimic_cycle(chain(*stated))]
    assert found == circles


def test_a_circle_of_very_many_ends() -> None:
    count = 5_000
    stated = [follower(f"j{i}", f"j{(i + 1) % count}") for i in range(count)]
    assert len(list(joints.mimic_cycle(chain(*stated)))) == 1
