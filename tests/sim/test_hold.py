"""Holding a pose."""

from __future__ import annotations

import numpy as np
import pytest

from phyzctl.model.model import Model
from phyzctl.sim.engine import Engine
from phyzctl.sim.hold import hold, is_servo
from phyzctl.sim.run import Block, Run
from phyzctl.sim.start import initial_start
from tests.sim.robots import EXPLODING, MIXED, PENDULUM, model, sample

GEARED = EXPLODING.replace('kp="1e6"', 'kp="100" gear="3"').replace("0.05", "0.002")


def held(subject: Model, q: dict[str, float], steps: int = 1000, push: float = 0.0) -> Block:
    engine = Engine(subject)
    start = initial_start(subject, q=q)
    start.state.v[:] = push
    return Run(engine, hold(engine, start.state), start, steps).whole()


def test_a_servo_is_told_where_it_pulls_at_nothing() -> None:
    subject = model(GEARED)
    start = initial_start(subject, q={"elbow": 0.4})
    control = hold(Engine(subject), start.state)
    assert control.horizon is None
    (ctrl,) = control.at(np.zeros(1), start.state)
    assert ctrl == pytest.approx([1.2])
    assert subject.actuator_forces_at(ctrl, start.state.q, start.state.v) == pytest.approx([0.0])


def test_a_servo_sags_as_its_stiffness_allows() -> None:
    """1 kg at 0.5 m on a stiffness of 100 times gear squared; damped, it comes to rest."""
    subject = model(GEARED.replace('axis="0 1 0"', 'axis="0 1 0" damping="60"'))
    q = held(subject, {"elbow": 0.0}, 4000).values["q"][-1, 0]
    assert 900 * q == pytest.approx(0.5 * 9.81 * np.cos(q), rel=1e-3)


POSES: dict[str, tuple[str, dict[str, float]]] = {
    "motors": ("cart_pole.xml", {}),
    "no actuators": ("six_axis_arm.urdf", {"shoulder_lift": 0.7, "elbow": -1.0}),
    "two links": ("double_pendulum.urdf", {"shoulder": 1.2, "elbow": 0.5}),
}


@pytest.mark.parametrize("name", ["no actuators", "two links"])
def test_motors_keep_a_pose_against_its_weight(name: str) -> None:
    file, q = POSES[name]
    block = held(sample(file), q)
    assert block.values["q"] == pytest.approx(np.tile(block.values["q"][0], (1001, 1)), abs=1e-9)


def test_a_push_is_over_within_a_second() -> None:
    """Critically damped at 5 Hz: after a second only dry friction keeps it from its place."""
    file, q = POSES["two links"]
    block = held(sample(file), q, push=0.1)
    away = np.abs(block.values["q"] - block.values["q"][0]).max(axis=1)
    assert away.max() > 1e-3
    assert away[-1] < 1e-4


def test_what_has_no_motor_falls() -> None:
    block = held(sample("cart_pole.xml"), {"hinge": 0.3})
    assert abs(block.values["q"][-1, 1] - 0.3) > 0.5


def test_long_steps_are_held_softly() -> None:
    subject = sample("double_pendulum.urdf")
    engine = Engine(subject, dt=0.02)
    start = initial_start(subject, q={"shoulder": 1.2})
    start.state.v[:] = 0.1
    block = Run(engine, hold(engine, start.state), start, 300).whole()
    assert np.abs(block.values["q"][-1] - block.values["q"][0]).max() < 1e-3


def test_which_actuators_are_servos() -> None:
    turn, push = model(MIXED).actuators
    assert not is_servo(turn)
    assert is_servo(push)


def test_it_says_what_it_is() -> None:
    for text in (GEARED, PENDULUM, MIXED):
        subject = model(text)
        assert hold(Engine(subject), subject.default_state()).describe()["kind"] == "hold"
