"""Stepping from a program, and whole runs in a call."""

from __future__ import annotations

import numpy as np
import pytest

import phyzctl
from phyzctl.errors import NotFoundError, PhyzctlError
from phyzctl.sim.simulator import DivergedError, Simulator, simulate
from phyzctl.sim.start import initial_start
from tests.sim.robots import EXPLODING, MIXED, PENDULUM, model, sample


def test_steps_are_those_of_a_run() -> None:
    simulator = Simulator(model(MIXED))
    trace = simulate(model(MIXED), steps=20, control=[0.2, 0.1])
    simulator.step([0.2, 0.1])
    for index in range(1, 21):
        assert np.array_equal(simulator.state.q, trace.values["q"][index])
        assert simulator.time == trace.times[index]
        simulator.step()


def test_several_steps_at_once() -> None:
    one, many = Simulator(model(MIXED)), Simulator(model(MIXED))
    for _ in range(7):
        one.step([0.2, 0.1])
    assert many.step([0.2, 0.1], count=7).identical(one.state)


def test_reset_goes_to_a_keyframe() -> None:
    simulator = Simulator(model(PENDULUM))
    simulator.step(count=100)
    state = simulator.reset(key="low", q={"hinge": 0.5})
    assert (state.q[0], state.v[0], simulator.time) == (0.5, -0.5, 0.25)
    simulator.step()
    assert simulator.time == 0.251
    simulator.reset()
    assert (simulator.state.q[0], simulator.time) == (0.0, 0.0)


def test_the_state_may_be_set_and_changed() -> None:
    simulator = Simulator(model(PENDULUM))
    kept = simulator.step(count=10).copy()
    after = simulator.step(count=10).copy()
    simulator.state = kept
    assert simulator.step(count=10).q.tobytes() == after.q.tobytes()
    simulator.state.v[:] = 0.0
    assert kept.v.any()


def test_what_holds_now() -> None:
    simulator = Simulator(model(PENDULUM), integrator="euler", dt=0.002)
    assert (simulator.dt, simulator.integrator) == (0.002, "euler")
    assert simulator.mass_matrix() == pytest.approx(np.array([[1.0]]))
    found = simulator.forces()
    assert found.qacc == pytest.approx([9.81])
    assert found.bias == pytest.approx([-9.81])
    assert simulator.pose("rod")[:3, 3] == pytest.approx((0, 0, 2))
    assert simulator.jacobian("rod", (1.0, 0.0, 0.0))[2] == pytest.approx([-1.0])


def test_a_step_that_leads_nowhere_raises_and_keeps_the_last_good_state() -> None:
    simulator = Simulator(model(EXPLODING))
    with pytest.raises(DivergedError, match=r"joint 'elbow' .* the actuators"):
        simulator.step([1.0], count=1000)
    assert np.isfinite(simulator.state.q).all()
    assert 0 < simulator.time < 50
    assert isinstance(DivergedError(""), PhyzctlError)


def test_misuse() -> None:
    simulator = Simulator(model(MIXED))
    with pytest.raises(PhyzctlError, match=r"ctrl must have the shape \(2,\), not \(3,\)"):
        simulator.step([1, 2, 3])
    with pytest.raises(NotFoundError, match=r"no body named 'tipp'; did you mean 'tip'\?"):
        simulator.pose("tipp")


def test_a_trace_in_a_call() -> None:
    trace = phyzctl.simulate(model(MIXED), steps=100, every=10)
    assert len(trace) == 11
    assert trace.is_intact()
    assert trace.header.complete
    assert trace.header.kind == "simulate"
    assert trace.header.options["control"] == {"kind": "constant", "ctrl": [0.0, 0.0]}


def test_a_pose_is_held_by_a_word() -> None:
    arm = sample("six_axis_arm.urdf")
    state = initial_start(arm, q={"elbow": -1.0, "shoulder_lift": 0.7}).state
    trace = simulate(arm, steps=300, state=state, control="hold")
    assert trace.header.options["control"]["kind"] == "hold"
    assert trace.values["q"][-1] == pytest.approx(state.q, abs=1e-9)
    loose = simulate(arm, steps=300, state=state)
    assert np.abs(loose.values["q"][-1] - state.q).max() > 0.1
    with pytest.raises(PhyzctlError, match="a control in a word is 'hold', not 'stay'"):
        simulate(arm, steps=1, control="stay")  # type: ignore[arg-type]


def test_a_run_that_breaks_says_so_in_its_header() -> None:
    trace = simulate(model(EXPLODING), steps=1000, control=[1.0])
    assert not trace.header.complete
    ((time, words),) = trace.header.events
    assert time == pytest.approx(trace.times[-1])
    assert "diverges in step" in words
