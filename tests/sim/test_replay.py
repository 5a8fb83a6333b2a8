"""Runs made again from their headers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from phyzctl.errors import PhyzctlError
from phyzctl.sim.control import Control, Sine
from phyzctl.sim.engine import Engine
from phyzctl.sim.hold import hold
from phyzctl.sim.recording import Recording, origin_of_model, with_poses
from phyzctl.sim.replay import replay
from phyzctl.sim.run import Run
from phyzctl.sim.simulator import simulate
from phyzctl.sim.start import initial_start, logged_start
from phyzctl.trace.header import TraceHeader
from phyzctl.trace.trace import Trace
from tests.sim.robots import EXPLODING, MIXED, model

WAVE = Sine(np.array([0.1, 0.0]), np.array([0.3, 0.05]), np.array([2.0, 5.0]))


def wave(engine: Engine) -> Control:
    return WAVE


def held(engine: Engine) -> Control:
    return hold(engine, initial_start(engine.model, key="driven").state)


def recorded(control: Callable[[Engine], Control], *extras: str) -> Trace:
    engine = Engine(model(MIXED), dt=0.003, integrator="implicitfast")
    run = Run(engine, control(engine), initial_start(engine.model, key="driven"), 100, 7)
    return Recording(run, origin_of_model(engine.model), extras).trace()


@pytest.mark.parametrize("control", [wave, held])
@pytest.mark.parametrize("extras", [(), ("effort", "poses")])
def test_the_same_comes_out(control: Callable[[Engine], Control], extras: tuple[str, ...]) -> None:
    trace = recorded(control, *extras)
    header = TraceHeader.from_json(trace.header.to_json())
    again = replay(model(MIXED), header).trace()
    assert again.header == trace.header
    for name, values in trace.values.items():
        assert again.values[name].tobytes() == values.tobytes()


def test_a_run_that_broke_breaks_again() -> None:
    trace = simulate(model(EXPLODING), steps=1000, control=[1.0], every=3)
    again = replay(model(EXPLODING), trace.header).trace()
    assert again.header == trace.header


def test_a_run_that_went_on_from_another() -> None:
    subject = model(MIXED)
    start = logged_start(subject, simulate(subject, steps=50, control=WAVE))
    run = Run(Engine(subject), WAVE, start, 50)
    trace = Recording(run, origin_of_model(subject)).trace()
    assert replay(subject, trace.header).trace().header.digest == trace.header.digest


def test_headers_that_say_too_little() -> None:
    trace = simulate(model(MIXED), steps=1)
    document = trace.header.to_json()
    for changes, message in (
        ({"kind": "push"}, "of a push, not of a simulation"),
        ({"options": {}}, "damaged"),
        ({"initial_state": {}}, "initial state"),
    ):
        header = TraceHeader.from_json(document | changes)
        with pytest.raises(PhyzctlError, match=message):
            replay(model(MIXED), header)


def test_poses_can_be_added_later() -> None:
    bare, posed = recorded(wave), recorded(wave, "poses")
    found = with_poses(model(MIXED), bare)
    assert found.header.channels == posed.header.channels
    assert found.header.fixed_frames == posed.header.fixed_frames
    assert np.array_equal(found.values["poses"], posed.values["poses"])
    assert found.header.digest == bare.header.digest
