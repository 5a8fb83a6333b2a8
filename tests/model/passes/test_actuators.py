"""Actuators and tendons by index: targets, laws, inherited ranges, what is not computed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.model.actuator import Actuator
from phyzctl.model.model import Model
from phyzctl.robot import mechanism
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import JointKind, JointLimit, Site
from phyzctl.robot.mechanism import (
    Activation,
    Gain,
    Tendon,
    TendonStep,
    TransmissionKind,
)
from tests.model.robots import chain, compiled

INFINITE = (-float("inf"), float("inf"))
LIMITED = JointLimit(-1.0, 3.0)
STILL: dict[str, Any] = {"target": "tip", "transmission": TransmissionKind.SITE}


def arm() -> RobotBuilder:
    """Two hinges, a site, a fixed and a spatial tendon."""
    builder = chain(JointKind.REVOLUTE, JointKind.FIXED, JointKind.CONTINUOUS, limit=LIMITED)
    builder.site("l1", Site("tip"))
    path = (TendonStep("joint", "j1", 2.0), TendonStep("joint", "j3", None))
    builder.tendon(Tendon("cord", False, path, range=(0.0, 2.0)))
    return builder.tendon(Tendon("rope", True, (TendonStep("site", "tip"),)))


def only(**fields: Any) -> Actuator:
    stated = mechanism.Actuator(**{"name": "a", "target": "j1"} | fields)
    return compiler.compile(arm().actuator(stated).build()).actuators[0]


def test_targets_are_indices_of_their_kind() -> None:
    builder = arm()
    for kind, target in (
        (TransmissionKind.JOINT, "j3"),
        (TransmissionKind.TENDON, "rope"),
        (TransmissionKind.SITE, "tip"),
        (TransmissionKind.BODY, "l2"),
    ):
        builder.actuator(mechanism.Actuator(kind.value, target, kind))
    model = compiler.compile(builder.build())
    assert [actuator.target for actuator in model.actuators] == [3, 1, 0, 2]


def test_a_fixed_tendons_terms_are_joints_with_coefficients_one_if_not_stated() -> None:
    tendons = compiler.compile(arm().build()).tendons
    assert [tendon.terms for tendon in tendons] == [((1, 2.0), (3, 1.0)), ()]
    assert [tendon.name for tendon in tendons] == ["cord", "rope"]


def test_gears_have_six_numbers() -> None:
    assert only(gear=(3.0,)).gear == (3.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    assert only(gear=(1.0,) * 9).gear == (1.0,) * 6


@pytest.mark.parametrize(
    ("law", "parameters", "expected"),
    [
        (Gain.FIXED, (5.0, 6.0, 7.0), (5.0, 0.0, 0.0)),
        (Gain.AFFINE, (5.0, 6.0), (5.0, 6.0, 0.0)),
        (Gain.AFFINE, (), (0.0, 0.0, 0.0)),
        (Gain.NONE, (5.0,), (0.0, 0.0, 0.0)),
        (Gain.AFFINE, (None, 2.0, None), (0.0, 2.0, 0.0)),
    ],
)
def test_a_law_reads_its_own_parameters(law: Gain, parameters: Any, expected: Any) -> None:
    assert only(gain=law, gain_parameters=parameters).gain == expected
    assert only(bias=law, bias_parameters=parameters).bias == expected


def test_ranges_that_are_not_stated_do_not_bound() -> None:
    actuator = only()
    assert actuator.ctrl_range == actuator.force_range == actuator.act_range == INFINITE
    assert only(ctrl_range=(-2.0, 2.0)).ctrl_range == (-2.0, 2.0)


@pytest.mark.parametrize(("factor", "expected"), [(1.0, (-1.0, 3.0)), (0.5, (0.0, 2.0))])
def test_a_servo_may_inherit_the_range_of_its_joint(factor: float, expected: Any) -> None:
    assert only(inherit_range=factor).ctrl_range == expected
    integrating = only(inherit_range=factor, dynamics=Activation.INTEGRATOR)
    assert (integrating.ctrl_range, integrating.act_range) == (INFINITE, expected)


def test_a_servo_may_inherit_the_range_of_its_tendon() -> None:
    on_tendon = {"target": "cord", "transmission": TransmissionKind.TENDON}
    assert only(inherit_range=2.0, **on_tendon).ctrl_range == (-1.0, 3.0)


def test_nothing_is_inherited_from_what_has_no_range() -> None:
    assert only(target="j3", inherit_range=1.0).ctrl_range == INFINITE


@pytest.mark.parametrize(
    ("dynamics", "stated", "count"),
    [
        (Activation.NONE, None, 0),
        (Activation.NONE, 2, 0),
        (Activation.FILTER, None, 1),
        (Activation.FILTER, -1, 1),
        (Activation.USER, 3, 3),
    ],
)
def test_dynamics_have_activations(dynamics: Activation, stated: int | None, count: int) -> None:
    assert only(dynamics=dynamics, activation_dim=stated).na == count


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        (STILL | {"gain": Gain.MUSCLE, "bias": Gain.MUSCLE}, "lengths don't settle"),
        (STILL | {"gain": Gain.FIXED, "bias": Gain.MUSCLE}, "lengths don't settle"),
        ({"gain": Gain.FIXED, "bias": Gain.USER}, "its user law"),
        ({"gain": Gain.USER, "length_range": (0.0, 1.0)}, "its user law"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_not_computed_is_reported(fields: dict[str, Any], what: str) -> None:
    stated = mechanism.Actuator(**{"name": "a", "target": "j1"} | fields)
    issues = Issues()
    compiler.compile(arm().actuator(stated).build(), issues=issues)
    reports = [(issue.code.id, issue.subject, what in issue.message) for issue in issues]
    assert reports == [("U001", "actuator 'a'", True)]


@pytest.mark.parametrize(
    ("target", "kind"), [("cord", TransmissionKind.TENDON), ("tip", TransmissionKind.SITE)]
)
def test_what_is_computed_is_not_reported(target: str, kind: TransmissionKind) -> None:
    builder = arm().actuator(mechanism.Actuator("a", target, kind))
    assert compiled(builder)[1] == []


def test_a_target_that_is_not_there_is_reported_and_left_out() -> None:
    """A builder would have refused it; a Robot put together by hand may still say so."""
    robot = arm().actuator(mechanism.Actuator("a", "j1")).build()
    lost = replace(robot.actuators[0], name="lost", target="nothing")
    issues = Issues()
    model = compiler.compile(replace(robot, actuators=(lost, *robot.actuators)), issues=issues)
    assert [actuator.name for actuator in model.actuators] == ["a"]
    assert [issue.code.id for issue in issues] == ["N305"]


def test_an_actuator_without_a_name_gets_one_for_messages() -> None:
    model: Model = compiler.compile(arm().actuator(mechanism.Actuator(None, "j1")).build())
    assert model.actuators[0].name == "actuator 0"
