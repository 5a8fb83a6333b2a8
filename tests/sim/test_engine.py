"""The engine: choices of time step and integrator, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

from phyzctl.errors import PhyzctlError
from phyzctl.sim.engine import Engine
from tests.sim.robots import EXPLODING, MIXED, PENDULUM, model, sample

CHOICES = {
    "as MJCF says": (PENDULUM, None, "rk4"),
    "MJCF's default": (MIXED, None, "euler"),
    "as asked": (PENDULUM, "euler", "euler"),
    "unknown to us": (PENDULUM.replace("RK4", "implicit"), None, "implicitfast"),
    "URDF": ("cart_pole.urdf", None, "implicitfast"),
}


@pytest.mark.parametrize(("text", "asked", "used"), CHOICES.values(), ids=CHOICES)
def test_the_integrator(text: str, asked: str | None, used: str) -> None:
    subject = sample(text) if text.endswith(".urdf") else model(text)
    assert Engine(subject, integrator=asked).integrator == used


def test_the_time_step_is_the_models_own_unless_one_is_given() -> None:
    assert Engine(model(MIXED)).dt == 0.002
    assert Engine(model(MIXED), dt=0.005).dt == 0.005


@pytest.mark.parametrize("dt", [0.0, -0.001, float("nan"), float("inf")])
def test_time_steps_that_time_can_not_advance_by(dt: float) -> None:
    with pytest.raises(PhyzctlError, match="the time step must be positive"):
        Engine(model(MIXED), dt=dt)


def test_misuse() -> None:
    with pytest.raises(PhyzctlError, match=r"no integrator 'rk5'; did you mean 'rk4'\?"):
        Engine(model(MIXED), integrator="rk5")
    still = '<mujoco model="rock"><worldbody><body name="b"/></worldbody></mujoco>'
    with pytest.raises(PhyzctlError, match="nothing moves in 'rock'"):
        Engine(model(still))
    engine, state = Engine(model(MIXED)), model(MIXED).default_state()
    state.xfrc_applied[1, 2] = 5.0
    with pytest.raises(PhyzctlError, match="xfrc_applied"):
        engine.advance(state, np.zeros((1, 2)), steps=1)


def test_samples_are_the_states_after_every_few_steps() -> None:
    engine = Engine(model(MIXED))
    state, ctrl = engine.model.default_state(), np.array([[0.5, 0.1]])
    whole = engine.advance(state, ctrl, steps=10)
    thin = engine.advance(state, ctrl, steps=10, every=3)
    assert whole.made == thin.made == 10
    for part in engine.parts:
        assert np.array_equal(thin.parts[part], whole.parts[part][2::3])
        assert np.array_equal(thin.last[part], whole.parts[part][-1])


def test_applied_forces_act() -> None:
    """A force on the free body's dof along x against its weight: a = f / m of all that rides."""
    engine = Engine(model(MIXED))
    state = engine.model.default_state()
    state.qfrc_applied[2] = 9.81 * (2 + 0.5 + 0.1 + 0.3)
    moved = engine.advance(state, np.zeros((1, 2)), steps=1)
    com = (engine.mass_matrix(state.q) @ moved.last["v"])[2]
    assert com == pytest.approx(0.0, abs=1e-12)


def test_it_stops_at_the_last_good_state() -> None:
    engine = Engine(model(EXPLODING))
    moved = engine.advance(engine.model.default_state(), np.array([[1.0]]), steps=1000)
    assert 0 < moved.made < 1000
    assert len(moved.parts["q"]) == moved.made
    assert np.isfinite(moved.last["q"]).all()
    assert np.array_equal(moved.last["q"], moved.parts["q"][-1])


def test_an_actuator_that_is_not_computed_pulls_at_nothing() -> None:
    engine = Engine(sample("quadrotor.xml"))
    state = engine.model.default_state()
    driven = engine.advance(state, np.full((1, 4), 5.0), steps=10)
    idle = engine.advance(state, np.zeros((1, 4)), steps=10)
    assert np.array_equal(driven.last["v"], idle.last["v"])


def test_bodies_are_placed() -> None:
    engine = Engine(model(MIXED))
    (places,) = engine.places(engine.model.default_state().q[np.newaxis])
    tip = engine.model.body_index("tip")
    assert tip is not None
    assert places[tip] == pytest.approx((0.4, 0, 1, 1, 0, 0, 0))
    jacobian = engine.jacobian(engine.model.default_state().q, tip, (0.0, 0.0, 0.0))
    assert jacobian[:, 6] == pytest.approx((0, 0, -0.2, 0, 1, 0))  # the shoulder, about y
