"""Joints: kinds, limits, units, and what can't stand together."""

from __future__ import annotations

import math

import pytest

from phyzctl.robot.elements import Dynamics, JointKind, JointLimit
from tests.formats.mjcf.reading import clean, codes_of, compiled, joint, only, refused

DEGREE = math.pi / 180
BODY = '<worldbody><body name="b">{}<geom size="1"/></body></worldbody>'


@pytest.mark.parametrize(
    ("attributes", "kind", "limited"),
    [
        ('range="-1 1"', JointKind.REVOLUTE, True),
        ('range="-1 1" limited="auto"', JointKind.REVOLUTE, True),
        ('range="-1 1" limited="true"', JointKind.REVOLUTE, True),
        ('range="-1 1" limited="false"', JointKind.CONTINUOUS, False),
        ('range="0 0"', JointKind.CONTINUOUS, False),
        ('range="1 1"', JointKind.CONTINUOUS, False),
        ("", JointKind.CONTINUOUS, False),
        ('limited="false"', JointKind.CONTINUOUS, False),
    ],
)
def test_when_a_hinge_is_limited(attributes: str, kind: JointKind, limited: bool) -> None:
    text = f"<joint {attributes}/>"
    assert joint(text).kind is kind
    assert bool(compiled(BODY.format(text)).jnt_limited[0]) is limited


@pytest.mark.parametrize(
    ("attributes", "limit"),
    [
        ('range="-1 1"', JointLimit(-1.0, 1.0)),
        ('range="-1 1" limited="false"', JointLimit()),
        ('range="0 0"', JointLimit()),
        ("", JointLimit()),
    ],
)
def test_when_a_slide_is_limited(attributes: str, limit: JointLimit) -> None:
    text = f'<joint type="slide" {attributes}/>'
    assert joint(text).limit == limit
    assert bool(compiled(BODY.format(text)).jnt_limited[0]) is limit.stated


def test_a_ball_is_limited_by_an_angle() -> None:
    ball = joint('<joint type="ball" range="0 90"/>')
    assert ball.limit.upper == pytest.approx(math.pi / 2)
    theirs = compiled(BODY.format('<joint type="ball" range="0 90"/>'))
    assert theirs.jnt_range[0][1] == ball.limit.upper


def test_a_reversed_range_stays_for_the_rules_to_judge() -> None:
    reversed_ = joint('<joint range="90 -90"/>')
    assert reversed_.kind is JointKind.REVOLUTE
    assert reversed_.limit.lower == pytest.approx(math.pi / 2)


def test_a_range_that_does_not_hold_is_kept_on_a_hinge() -> None:
    assert joint('<joint range="0 180" limited="false"/>').limit.upper == pytest.approx(math.pi)


def test_a_ball_limited_to_nothing_is_locked() -> None:
    text = '<joint type="ball" limited="true"/>'
    assert joint(text).limit.upper == 0.0
    assert compiled(BODY.format(text)).jnt_limited[0]


@pytest.mark.parametrize("kind", ["hinge", "slide"])
def test_limited_without_a_range(kind: str) -> None:
    text = BODY.format(f'<joint type="{kind}" limited="true"/>')
    issue = only(text)
    assert (issue.code.id, issue.fatal) == ("J200", True)
    assert refused(text)


def test_a_free_joint_has_no_limits() -> None:
    text = '<default><joint limited="true" damping="2"/></default>' + BODY.format(
        '<joint type="free"/>'
    )
    assert clean(text).joints[0].limit == JointLimit()
    assert compiled(text).nv == 6


def test_a_range_is_undecided_without_autolimits() -> None:
    text = '<compiler autolimits="false"/>' + BODY.format('<joint range="0 1"/>')
    assert only(text).code.id == "X006"
    assert refused(text)
    decided = '<compiler autolimits="false"/>' + BODY.format('<joint range="0 1" limited="true"/>')
    assert clean(decided).joints[0].kind is JointKind.REVOLUTE


def test_a_ball_that_does_not_start_at_zero() -> None:
    text = BODY.format('<joint type="ball" range="10 20"/>')
    assert only(text).code.id == "J201"
    assert refused(text)


def test_an_empty_range_that_is_said_to_hold() -> None:
    text = BODY.format('<joint range="1 1" limited="true"/>')
    assert only(text).code.id == "J201"
    assert refused(text)


def test_the_axis_has_length_one() -> None:
    assert joint('<joint axis="0 3 4"/>').axis == (0.0, 0.6, 0.8)
    assert joint("<joint/>").axis == (0.0, 0.0, 1.0)


def test_an_axis_without_length_stays_for_the_rules_to_judge() -> None:
    assert joint('<joint axis="0 0 0"/>').axis == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("text", "dynamics"),
    [
        ("<joint/>", None),
        ('<joint damping="2"/>', Dynamics(damping=2.0)),
        ('<joint damping="2 3 4"/>', Dynamics(damping=2.0, damping_terms=(3.0, 4.0))),
        ('<joint stiffness="2 3"/>', Dynamics(stiffness=2.0, stiffness_terms=(3.0,))),
        ('<joint springref="90"/>', Dynamics(springref=math.pi / 2)),
        ('<joint springdamper="0.1 1"/>', Dynamics(spring_damper=(0.1, 1.0))),
        ('<joint frictionloss="1" armature="2"/>', Dynamics(friction=1.0, armature=2.0)),
        ('<joint damping="0"/>', Dynamics(damping=0.0)),
    ],
)
def test_dynamics(text: str, dynamics: Dynamics | None) -> None:
    assert joint(text).dynamics == dynamics


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ('actuatorfrcrange="-1 2"', (-1.0, 2.0)),
        ('actuatorfrcrange="-1 2" actuatorfrclimited="false"', None),
        ('actuatorfrcrange="0 0"', None),
        ("", None),
    ],
)
def test_the_total_force_of_actuators(
    attributes: str, expected: tuple[float, float] | None
) -> None:
    assert joint(f"<joint {attributes}/>").actuator_force_range == expected


def test_solver_parameters_are_those_of_the_class_where_lists_are_short() -> None:
    text = '<default><joint solimplimit="0.1 0.2 0.3" solreflimit="0.5 2"/></default>'
    solver = joint('<joint solimplimit="0.7" solreffriction="1"/>', text).solver
    assert solver is not None
    assert solver.solimp_limit == (0.7, 0.2, 0.3)
    assert solver.solref_limit == (0.5, 2.0)
    assert solver.solref_friction == (1.0,)


def test_what_has_no_place_is_kept() -> None:
    extensions = joint('<joint group="3" user="1 2" damping="1"/>').extensions
    assert [(item.tag, item.text) for item in extensions] == [("@group", "3"), ("@user", "1 2")]
    free = joint('<freejoint align="true" group="2"/>')
    assert free.align == "true"
    assert [item.tag for item in free.extensions] == ["@group"]


# Joints of one body, and whether its parent is the world: what MuJoCo refuses, we do.
TOGETHER = {
    "<freejoint/>": True,
    "<joint/><joint axis='1 0 0'/><joint type='slide'/>": True,
    "<joint/><joint type='ball'/>": True,
    "<joint type='slide'/><joint type='ball'/>": True,
    "<joint type='ball'/><joint type='slide'/>": True,
    "<joint type='ball'/><joint/>": False,
    "<joint type='ball'/><joint type='ball'/>": False,
    "<freejoint/><joint/>": False,
    "<joint type='slide'/><freejoint/>": False,
    "<freejoint/><freejoint/>": False,
}


@pytest.mark.parametrize("joints", TOGETHER)
def test_joints_of_one_body(joints: str) -> None:
    text = BODY.format(joints)
    assert refused(text) is not TOGETHER[joints]
    assert (codes_of(text) == []) is TOGETHER[joints]


@pytest.mark.parametrize("free", ["<freejoint/>", '<joint type="free" name="f"/>'])
def test_a_nested_free_joint(free: str) -> None:
    text = f"<worldbody><body><body>{free}<geom size='1'/></body></body></worldbody>"
    issue = only(text)
    assert (issue.code.id, issue.fatal) == ("T407", True)
    assert refused(text)


def test_the_body_stands_on_its_first_joint() -> None:
    text = """<worldbody><body name="b" pos="1 2 3" euler="0 0 90">
    <joint name="x"/><joint name="y"/><geom size="1"/></body></worldbody>"""
    robot = clean(text)
    first, second = robot.structure.inbound("b")
    assert first.xyz == (1.0, 2.0, 3.0)
    assert first.quat == pytest.approx((math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)))
    assert (second.xyz, second.quat) == ((0.0, 0.0, 0.0), None)


def test_an_unknown_type_is_one_issue() -> None:
    issue = only(BODY.format('<joint type="hing"/>'))
    assert issue.code.id == "X008"
    assert "did you mean 'hinge'?" in issue.message
