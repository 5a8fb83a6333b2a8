"""Where runs start."""

from __future__ import annotations

import json

import numpy as np
import pytest

from phyzctl.errors import NotFoundError, PhyzctlError
from phyzctl.sim.simulator import simulate
from phyzctl.sim.start import initial_start, logged_start, start_from_json
from tests.sim.robots import MIXED, PENDULUM, model


def test_the_reference_pose() -> None:
    start = initial_start(model(MIXED))
    assert start.state.q.tolist() == [0, 0, 1, 1, 0, 0, 0, 0, 0]
    assert not start.state.v.any()
    assert (start.origin, start.step) == (0.0, 0)


def test_a_keyframe_with_a_joint_moved() -> None:
    start = initial_start(model(MIXED), key="driven", q={"slide": 0.2})
    assert start.state.q.tolist() == [0, 0, 1, 1, 0, 0, 0, 0.3, 0.2]
    assert start.state.ctrl.tolist() == [0.2, 0.1]


def test_what_is_not_there() -> None:
    with pytest.raises(NotFoundError, match=r"no keyframe named 'drivn'.*did you mean 'driven'"):
        initial_start(model(MIXED), key="drivn")
    with pytest.raises(NotFoundError, match="no joint 'slid'"):
        initial_start(model(MIXED), q={"slid": 1.0})
    with pytest.raises(PhyzctlError, match="takes 7 numbers, not 1"):
        initial_start(model(MIXED), q={"root": 1.0})


def test_to_json_and_back() -> None:
    subject = model(MIXED)
    start = initial_start(subject, key="driven")
    document = json.loads(json.dumps(start.to_json()))
    found = start_from_json(subject, document)
    assert found.state.identical(start.state)
    assert (found.origin, found.step) == (start.origin, start.step)


def test_from_a_trace() -> None:
    subject = model(PENDULUM)
    trace = simulate(subject, steps=100, state=subject.keyframe_state("low"), every=10)
    end, middle = logged_start(subject, trace), logged_start(subject, trace, 0.3)
    assert end.step == 100
    assert end.state.q[0] == trace.values["q"][-1, 0]
    assert (middle.origin, middle.step) == (0.25, 50)
    assert middle.state.v[0] == trace.values["v"][5, 0]
    assert middle.state.time == pytest.approx(0.3)


def test_traces_that_no_run_can_go_on_from() -> None:
    subject = model(PENDULUM)
    trace = simulate(subject, steps=100, every=10)
    with pytest.raises(PhyzctlError, match=r"no sample at 0\.055 s; the nearest is at 0\.0[56] s"):
        logged_start(subject, trace, 0.055)
    with pytest.raises(PhyzctlError, match="another model's: it states 1 numbers for q"):
        logged_start(model(MIXED), trace)
    for damage in ({}, {"q": "x"}, {"q": [0.0], "v": None}):
        with pytest.raises(PhyzctlError):
            start_from_json(subject, damage)


def test_a_start_is_not_shared_with_the_model() -> None:
    subject = model(MIXED)
    start = initial_start(subject)
    start.state.q[:] = 5
    assert not np.array_equal(subject.default_state().q, start.state.q)
