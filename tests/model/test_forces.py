"""Actuator forces: the affine law, its clamps, and their order."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from phyzctl import native
from phyzctl.errors import PhyzctlError
from phyzctl.model import compiler
from phyzctl.model.model import Model
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import Joint, JointKind, JointLimit, Link
from phyzctl.robot.mechanism import (
    Activation,
    Actuator,
    Gain,
    Tendon,
    TendonStep,
    TransmissionKind,
)
from tests.model.robots import chain, inertial, world_robot

FREE = JointKind.FLOATING


def servo(kp: float, kv: float = 0.0, **fields: Any) -> Actuator:
    bias: dict[str, Any] = {"bias": Gain.AFFINE, "bias_parameters": (0.0, -kp, -kv)}
    return Actuator(None, "j1", gain_parameters=(kp,), **bias, **fields)


def velocity(kv: float) -> Actuator:
    bias = (0.0, 0.0, -kv)
    return Actuator("v", "j1", gain_parameters=(kv,), bias=Gain.AFFINE, bias_parameters=bias)


def motor(gear: float = 1.0, **fields: Any) -> Actuator:
    return Actuator(None, "j1", gear=(gear,), **fields)


def driven(*actuators: Actuator, kind: JointKind = JointKind.CONTINUOUS, **joint: Any) -> Model:
    builder = chain(kind, **joint)
    for actuator in actuators:
        builder.actuator(actuator)
    return compiler.compile(builder.build(), base="fixed")


def afloat(actuator: Actuator) -> Model:
    """A link that floats in the world."""
    builder = world_robot(JointKind.FLOATING).actuator(replace(actuator, target="to a"))
    return compiler.compile(builder.build())


def force(actuator: Actuator, ctrl: float, q: float = 0.0, v: float = 0.0) -> float:
    return float(driven(actuator).actuator_forces_at([ctrl], [q], [v])[0])


def test_a_motor_multiplies_by_its_gear() -> None:
    assert driven(motor(100.0)).actuator_forces([0.5]).tolist() == [50.0]


def test_a_position_servo_pulls_towards_its_control() -> None:
    """kp 10, kv 2, ctrl 1, q 0.5, v 0.25: 10 - 5 - 0.5."""
    assert force(servo(10.0, 2.0), 1.0, 0.5, 0.25) == 4.5


def test_a_velocity_servo_pulls_towards_its_speed() -> None:
    assert force(velocity(5.0), 2.0, 0.0, 0.5) == 7.5


def test_control_is_clamped_before_the_gear() -> None:
    assert force(motor(3.0, ctrl_range=(-2.0, 2.0)), 5.0) == 6.0


def test_gear_counts_twice_in_feedback_and_force_is_clamped_before_it() -> None:
    """gear 3, kp 10, kv 2, ctrl 1, q 0.5, v 0.25: l = 1.5, l̇ = 0.75, p = 10 - 15 - 1.5 = -6.5."""
    assert force(servo(10.0, 2.0, gear=(3.0,)), 1.0, 0.5, 0.25) == 3 * -6.5
    clamped = servo(10.0, 2.0, gear=(3.0,), force_range=(-5.0, 5.0))
    assert force(clamped, 1.0, 0.5, 0.25) == -15.0


@given(*[st.floats(-10.0, 10.0)] * 4)
def test_an_affine_law_is_what_it_says(ctrl: float, q: float, v: float, gear: float) -> None:
    actuator = Actuator(
        "general",
        "j1",
        gear=(gear,),
        gain=Gain.AFFINE,
        gain_parameters=(2.0, 0.5, -0.25),
        bias=Gain.AFFINE,
        bias_parameters=(1.0, -3.0, 0.75),
    )
    length, rate = gear * q, gear * v
    pull = (2.0 + 0.5 * length - 0.25 * rate) * ctrl + 1.0 - 3.0 * length + 0.75 * rate
    assert_allclose(force(actuator, ctrl, q, v), gear * pull, rtol=1e-12, atol=1e-9)


def test_parameters_beyond_what_a_law_reads_do_not_count() -> None:
    odd = Actuator("odd", "j1", gain_parameters=(2.0, 9.0, 9.0), bias_parameters=(9.0, 9.0, 9.0))
    assert force(odd, 3.0, 1.0, 1.0) == 6.0


def test_actuators_of_one_joint_add_up() -> None:
    assert driven(motor(), motor(2.0)).actuator_forces([1.0, 10.0]).tolist() == [21.0]


def test_a_joints_total_is_clamped_last() -> None:
    model = driven(motor(), motor(), actuator_force_range=(-1.0, 3.0))
    assert model.actuator_forces([2.0, 2.0]).tolist() == [3.0]
    assert model.actuator_forces([-5.0, 2.0]).tolist() == [-1.0]


def test_without_actuators_control_passes_through_up_to_the_effort() -> None:
    model = driven(kind=JointKind.REVOLUTE, limit=JointLimit(-1.0, 1.0, effort=7.0))
    assert model.actuator_forces([3.0]).tolist() == [3.0]
    assert model.actuator_forces([30.0]).tolist() == [7.0]
    assert model.actuator_forces_at([-30.0], [0.5], [1.0]).tolist() == [-7.0]


@pytest.mark.parametrize(
    ("ctrl", "q", "v"),
    [([], [0.0], [0.0]), ([0.0, 0.0], [0.0], [0.0]), ([0.0], [], [0.0]), ([0.0], [0.0], [[0.0]])],
)
def test_a_wrong_length_is_an_error(ctrl: Any, q: Any, v: Any) -> None:
    with pytest.raises(PhyzctlError, match="must have shape"):
        driven(motor()).actuator_forces_at(ctrl, q, v)


def test_an_actuator_on_a_fixed_joint_drives_nothing() -> None:
    builder = chain(JointKind.FIXED, JointKind.CONTINUOUS).actuator(motor(100.0))
    model = compiler.compile(builder.build(), base="fixed")
    assert model.actuator_forces([1.0]).tolist() == [0.0]


def test_nan_stays_nan_and_inverted_ranges_change_nothing() -> None:
    assert math.isnan(force(motor(ctrl_range=(-1.0, 1.0)), math.nan))
    assert force(motor(force_range=(1.0, -1.0)), 5.0) == 5.0


def test_a_ball_is_driven_about_three_axes() -> None:
    """A turn by 0.4 about z: the length is gear · (0, 0, 0.4)."""
    ball = servo(10.0, gear=(1.0, 2.0, 3.0))
    model = driven(ball, kind=JointKind.SPHERICAL)
    q = [math.cos(0.2), 0.0, 0.0, math.sin(0.2)]
    expected = -10.0 * 3.0 * 0.4 * np.array([1.0, 2.0, 3.0])
    assert_allclose(model.actuator_forces_at([0.0], q, np.zeros(3)), expected, rtol=1e-12)


def test_a_free_joint_has_no_length_but_six_gears() -> None:
    gear = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
    model = afloat(servo(10.0, gear=gear))
    q = [5.0, 5.0, 5.0, 1.0, 0.0, 0.0, 0.0]
    assert model.actuator_forces_at([0.1], q, np.zeros(6)).tolist() == list(gear)


@pytest.mark.parametrize("kind", [JointKind.SPHERICAL, JointKind.FLOATING])
def test_a_gear_in_the_parent_frame_is_turned_into_the_child(kind: JointKind) -> None:
    """After a quarter turn about z, the parent's x is the child's -y."""
    sine = math.sqrt(0.5)
    quat, place = [sine, 0.0, 0.0, sine], slice(-3, None)
    gear = (1.0,) if kind is JointKind.SPHERICAL else (0.0, 0.0, 0.0, 1.0)
    in_parent = motor(transmission=TransmissionKind.JOINT_IN_PARENT)
    pull = Actuator("m", "j1", in_parent.transmission, gear=gear)
    model = driven(pull, kind=kind) if kind is JointKind.SPHERICAL else afloat(pull)
    q = quat if kind is JointKind.SPHERICAL else [0.0, 0.0, 0.0, *quat]
    forces = model.actuator_forces_at([1.0], q, np.zeros(model.nv))
    assert_allclose(forces[place], [0.0, -1.0, 0.0], atol=1e-15)


def test_what_floats_on_another_link_is_refused() -> None:
    with pytest.raises(PhyzctlError, match="joint 'j1' floats on a body that moves"):
        driven(motor(), kind=JointKind.FLOATING).actuator_forces([1.0])


def pulled(*pulls: Actuator, force_range: Any = None) -> Model:
    """Two hinges, and a tendon of l = 2 q1 - q2."""
    builder = chain(JointKind.CONTINUOUS, JointKind.CONTINUOUS)
    path = (TendonStep("joint", "j1", 2.0), TendonStep("joint", "j2", -1.0))
    builder.tendon(Tendon("cord", False, path, actuator_force_range=force_range))
    for actuator in pulls:
        builder.actuator(actuator)
    return compiler.compile(builder.build(), base="fixed")


def on_tendon(gear: float = 1.0, **fields: Any) -> Actuator:
    return Actuator(None, "cord", TransmissionKind.TENDON, gear=(gear,), **fields)


def test_a_fixed_tendon_pulls_its_joints_by_their_coefficients() -> None:
    assert pulled(on_tendon(3.0)).actuator_forces([1.0]).tolist() == [6.0, -3.0]
    bias: dict[str, Any] = {"bias": Gain.AFFINE, "bias_parameters": (0.0, -10.0, -1.0)}
    model = pulled(on_tendon(**bias))
    forces = model.actuator_forces_at([0.0], [0.5, 0.2], [1.0, -1.0])  # l = 0.8, l̇ = 3
    assert_allclose(forces, [2.0 * -11.0, 11.0])


def test_a_tendon_scales_its_actuators_into_its_range() -> None:
    """Pulls 6 and 2 in a range up to 4: halved, whatever the gears."""
    model = pulled(on_tendon(1.0), on_tendon(10.0), force_range=(-1.0, 4.0))
    assert_allclose(model.actuator_forces([6.0, 2.0]), [2.0 * (3.0 + 10.0), -13.0])
    assert_allclose(model.actuator_forces([1.0, 2.0]), [2.0 * 21.0, -21.0])


def test_what_is_not_computed_exerts_no_force() -> None:
    muscle = Actuator("muscle", "j1", gain=Gain.MUSCLE, bias=Gain.MUSCLE)
    assert driven(muscle).actuator_forces([1.0]).tolist() == [0.0]


def muscle(length_range: tuple[float, float], **numbers: float) -> Actuator:
    stated = {"low": 0.5, "high": 1.5, "force": 100.0, "scale": 0.0} | numbers
    parameters = (*stated.values(), 0.25, 2.0, 2.0, 1.0, 1.4)
    return Actuator(
        "m", "j1", length_range=length_range, gain=Gain.MUSCLE, gain_parameters=parameters,
        bias=Gain.MUSCLE, bias_parameters=parameters,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("length", "speed", "active", "passive"),
    [
        (1.0, 0.0, 1.0, 0.0),  # the optimum, at rest
        (0.25, 0.0, 0.0, 0.0),
        (2.0, 0.0, 0.0, 1.5),
        (0.625, 0.0, 0.5, 0.0),  # where the parabolas meet
        (1.5, 0.0, 0.5, 0.5),
        (1.0, -2.0, 0.0, 0.0),  # as fast as it shortens without any force
        (1.0, -1.0, 0.25, 0.0),
        (1.0, 0.8, 1.4, 0.0),  # and pulled apart
        (1.0, 9.0, 1.4, 0.0),
        (3.0, 0.0, 0.0, 3.5),
    ],
)
def test_a_muscle_pulls_by_length_and_speed(
    length: float, speed: float, active: float, passive: float
) -> None:
    """With the range of lengths that is the stated one its optimum is a radian."""
    model = driven(muscle((0.5, 1.5)))
    for u in (0.0, 0.3, 1.0):
        expected = -100.0 * (u * active + passive)
        assert_allclose(model.actuator_forces_at([u], [length], [speed]), [expected], atol=1e-12)


def test_half_of_a_muscle_may_be_tendon() -> None:
    """Lengths of 2 to 3 are 0.5 to 1.5 optima of a radian: 1.5 are tendon."""
    model = driven(muscle((2.0, 3.0)))
    assert_allclose(model.actuator_forces_at([1.0], [2.5], [0.0]), [-100.0])


def test_a_muscle_without_a_force_is_as_strong_as_it_moves_mass() -> None:
    model = driven(muscle((0.5, 1.5), force=-1.0, scale=200.0))
    inertia = native.mass_matrix(model.dynamics, np.zeros((1, 1)))[0, 0, 0]
    assert_allclose(model.actuator_forces_at([1.0], [1.0], [0.0]), [-200.0 * inertia])


def test_behind_dynamics_the_activation_counts() -> None:
    first = motor(dynamics=Activation.FILTER)
    second = motor(2.0, dynamics=Activation.INTEGRATOR, activation_dim=2)
    model = driven(first, second)
    assert model.na == 3
    assert model.actuator_forces_at([9.0, 9.0], [0.0], [0.0]).tolist() == [0.0]
    forces = model.actuator_forces_at([9.0, 9.0], [0.0], [0.0], act=[1.0, 5.0, 10.0])
    assert forces.tolist() == [21.0]


def test_gravity_compensation_is_added_where_a_joint_asks() -> None:
    """A horizontal arm of 2 kg, com 0.5 m out: 2 · 9.81 · 0.5 N m about y hold it up."""
    for asked in (True, False):
        builder = RobotBuilder("arm", dialect="mjcf").link(Link("world"))
        com = inertial(2.0)
        builder.link(Link("arm", com, gravcomp=0.5))
        place: dict[str, Any] = {
            "xyz": (0.0, 0.0, 0.0),
            "axis": (0.0, 1.0, 0.0),
            "anchor": (-0.5, 0.0, 0.0),
        }
        joint = Joint("j1", JointKind.CONTINUOUS, "world", "arm", actuator_gravcomp=asked, **place)
        model = compiler.compile(builder.joint(joint).actuator(motor()).build())
        expected = 1.0 - 0.5 * 2.0 * 9.81 * 0.5 if asked else 1.0
        assert_allclose(model.actuator_forces_at([1.0], [0.0], [0.0]), [expected])
