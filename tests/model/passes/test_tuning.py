"""Gains relative to inertia, against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.model.model import Model
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import Dynamics, Inertia, Inertial, Joint, JointKind, Link
from phyzctl.robot.mechanism import Actuator, Gain, TransmissionKind

MASS, SPIN, OUT = 2.0, 0.3, 0.5  # kg, kg m² about y, m from hinge to COM


def pendulum(dynamics: Dynamics | None = None, *actuators: Actuator) -> Model:
    """A body of MASS whose COM lies OUT from a hinge about y."""
    inertial = Inertial(MASS, Inertia(SPIN, 0.0, 0.0, SPIN, 0.0, SPIN), (OUT, 0.0, 0.0))
    builder = RobotBuilder("pendulum", dialect="mjcf").link(Link("world"))
    builder.link(Link("bob", inertial))
    y = (0.0, 1.0, 0.0)
    hinge = Joint("hinge", JointKind.CONTINUOUS, "world", "bob", axis=y, dynamics=dynamics)
    builder.joint(hinge)
    for actuator in actuators:
        builder.actuator(actuator)
    return compiler.compile(builder.build())


def servo(ratio: float, gear: float = 1.0) -> Actuator:
    return Actuator(
        "servo",
        "hinge",
        TransmissionKind.JOINT,
        gear=(gear,),
        gain_parameters=(50.0,),
        bias=Gain.AFFINE,
        bias_parameters=(0.0, -50.0, 0.0),
        damping_ratio=ratio,
    )


@pytest.mark.parametrize("ratio", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("armature", [None, 0.2])
def test_a_damping_ratio_of_a_servo(ratio: float, armature: float | None) -> None:
    """kv = 2 ratio sqrt(kp I), I by the parallel axis theorem and the rotor's."""
    inertia = SPIN + MASS * OUT * OUT + (armature or 0.0)
    model = pendulum(Dynamics(armature=armature), servo(ratio))
    assert_allclose(model.actuators[0].bias, (0.0, -50.0, -2 * ratio * math.sqrt(50.0 * inertia)))


def test_behind_a_gear_the_inertia_is_less_by_its_square() -> None:
    inertia = (SPIN + MASS * OUT * OUT) / 9.0
    damping = pendulum(None, servo(1.0, 3.0)).actuators[0].bias[2]
    assert_allclose(damping, -2.0 * math.sqrt(50.0 * inertia))


def test_a_servo_without_ratio_keeps_its_damping() -> None:
    bias = pendulum(None, servo(0.0)).actuators[0].bias
    assert bias == (0.0, -50.0, 0.0)


def test_a_spring_by_time_constant_and_damping_ratio() -> None:
    """k = I / (tc² ratio²), b = 2 I / tc; what was written beside them does not count."""
    inertia = SPIN + MASS * OUT * OUT
    dynamics = Dynamics(damping=9.0, stiffness=9.0, spring_damper=(0.1, 0.7))
    joint = pendulum(dynamics).joints[0]
    assert_allclose(joint.stiffness, inertia / (0.1 * 0.7) ** 2)
    assert_allclose(joint.damping, 2.0 * inertia / 0.1)


def test_a_spring_that_is_not_positive_does_not_count() -> None:
    joint = pendulum(Dynamics(damping=9.0, spring_damper=(0.0, 1.0))).joints[0]
    assert (joint.damping, joint.stiffness) == (9.0, 0.0)


def test_no_inertia_and_no_number_do_not_stop_the_compiler() -> None:
    for mass in (0.0, math.nan):
        builder = RobotBuilder("nothing", dialect="mjcf").link(Link("world"))
        builder.link(Link("bob", Inertial(mass)))
        builder.joint(Joint("hinge", JointKind.CONTINUOUS, "world", "bob"))
        robot = builder.actuator(servo(1.0)).build(Issues())
        assert np.isfinite(compiler.compile(robot).actuators[0].bias).all()
