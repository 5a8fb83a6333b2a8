"""Runs: samples, thinning, controls ahead and with feedback, restart, and ends."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest

from phyzctl.errors import PhyzctlError
from phyzctl.model.state import State
from phyzctl.sim.control import Callback, Constant, Control, Sine
from phyzctl.sim.engine import Engine
from phyzctl.sim.run import Block, Run
from phyzctl.sim.start import Start, initial_start
from phyzctl.spatial import Array
from tests.sim.robots import EXPLODING, MIXED, PENDULUM, model

WAVE = Sine(np.array([0.1, 0.0]), np.array([0.3, 0.05]), np.array([2.0, 5.0]))


def run_of(control: Control, steps: int, every: int = 1, start: Start | None = None) -> Block:
    engine = Engine(model(MIXED))
    begin = start or initial_start(engine.model)
    return Run(engine, control, begin, steps, every).whole()


def wave_at(time: float, state: State) -> Array:
    """The same controls, asked for step by step."""
    assert state.time == time
    (row,) = WAVE.at(np.array([time]), state)
    return np.asarray(row)


def test_a_run_is_what_mujoco_makes_of_it() -> None:
    """Zero control for half a second, every state of it."""
    block = run_of(Constant(np.array([0.2, 0.1])), 250)
    theirs = mujoco.MjModel.from_xml_string(MIXED)
    data = mujoco.MjData(theirs)
    data.ctrl[:] = (0.2, 0.1)
    for index in range(251):
        assert block.values["q"][index] == pytest.approx(data.qpos, abs=1e-11)
        assert block.times[index] == pytest.approx(data.time, abs=1e-12)
        mujoco.mj_step(theirs, data)


def test_a_pendulum_swings_by_its_period() -> None:
    """From rest at 90 degrees: 4 K(1/2) sqrt(l/g); with RK4 at 1 ms, to 1e-9 s."""
    engine = Engine(model(PENDULUM))
    ctrl = Constant(np.zeros(1))
    block = Run(engine, ctrl, initial_start(engine.model), 6000).whole()
    v = block.values["v"][:, 0]
    (first, second) = np.flatnonzero((v[:-1] > 0) != (v[1:] > 0))[1:3]
    period = 4 * 1.8540746773013719 * math.sqrt(1 / 9.81)
    turns = [block.times[i] - v[i] * 0.001 / (v[i + 1] - v[i]) for i in (first, second)]
    assert turns[1] - turns[0] == pytest.approx(period / 2, abs=1e-6)


@pytest.mark.parametrize(("steps", "every"), [(0, 1), (1, 1), (1, 7), (7, 7), (1025, 1), (3000, 7)])
@pytest.mark.parametrize("control", [WAVE, Callback(wave_at, 2)], ids=["ahead", "feedback"])
def test_samples(control: Control, steps: int, every: int) -> None:
    """The first state, every few steps one, and the last, with what is asked for from there on."""
    block = run_of(control, steps, every)
    whole = run_of(WAVE, steps)
    at = sorted({*range(0, steps, every), steps})
    assert block.times == pytest.approx(0.002 * np.array(at), abs=1e-12)
    assert block.values["solver"].shape == (len(at), 4)
    for name in (*Engine.parts, "ctrl"):
        values = block.values[name]
        assert np.array_equal(values, whole.values[name][at]), name
    turn = 0.1 + 0.3 * np.sin(2 * math.pi * 2.0 * block.times)
    push = 0.05 * np.sin(2 * math.pi * 5.0 * block.times)
    assert block.values["ctrl"] == pytest.approx(np.stack([turn, push], axis=1), abs=1e-12)


def test_the_same_run_gives_the_same_bits() -> None:
    one, two = run_of(WAVE, 700, 3), run_of(WAVE, 700, 3)
    for name, values in one.values.items():
        assert values.tobytes() == two.values[name].tobytes()


@pytest.mark.parametrize("split", [1, 350, 699])
def test_a_run_goes_on_from_any_of_its_states_to_the_same_bits(split: int) -> None:
    whole = run_of(WAVE, 700)
    state = model(MIXED).default_state()
    for part in Engine.parts:
        setattr(state, part, whole.values[part][split].copy())
    state.time = whole.times[split]
    rest = run_of(WAVE, 700 - split, start=Start(state, 0.0, split))
    assert rest.times.tobytes() == whole.times[split:].tobytes()
    for name, values in rest.values.items():
        assert values.tobytes() == whole.values[name][split:].tobytes()


def test_a_keyframe_starts_at_its_time() -> None:
    engine = Engine(model(PENDULUM))
    start = initial_start(engine.model, key="low")
    block = Run(engine, Constant(start.state.ctrl), start, 2).whole()
    assert block.times.tolist() == [0.25, 0.251, 0.252]
    assert (block.values["q"][0, 0], block.values["v"][0, 0]) == (1.2, -0.5)


@pytest.mark.parametrize("every", [1, 7, 200_000])
def test_blocks_are_small_whatever_the_length_of_the_run(every: int) -> None:
    """At most a megabyte and 100 000 steps, and as many samples as it says."""
    engine = Engine(model(PENDULUM))
    start = initial_start(engine.model)
    run = Run(engine, Constant(np.zeros(1)), start, 300_000, every)
    whole = Run(engine, Constant(np.zeros(1)), start, 300_000, every).whole()
    count, made = 0, 0
    for block in run.blocks():
        part = slice(count, count + len(block.times))
        assert sum(each.nbytes for each in block.values.values()) <= 1 << 20
        assert run.made - made <= max(100_000, every)
        assert block.values["q"].tobytes() == whole.values["q"][part].tobytes()
        count, made = part.stop, run.made
    assert count == len(whole.times) == run.samples


@pytest.mark.parametrize("every", [1, 4])
def test_a_run_that_breaks_ends_with_its_last_good_state(every: int) -> None:
    engine = Engine(model(EXPLODING))
    run = Run(engine, Constant(np.array([1.0])), initial_start(engine.model), 1000, every)
    block = run.whole()
    assert run.divergence is not None
    assert 0 < run.made < 1000
    assert np.isfinite(block.values["q"]).all()
    assert block.times[-1] == pytest.approx(run.made * 0.05)
    assert len(set(block.times.tolist())) == len(block.times)
    stepped = Run(engine, Callback(lambda *_: [1.0], 1), initial_start(engine.model), 1000, every)
    again = stepped.whole()
    assert again.values["q"].tobytes() == block.values["q"].tobytes()
    assert stepped.divergence == run.divergence


def test_misuse() -> None:
    engine = Engine(model(PENDULUM))
    for steps, every in ((-1, 1), (5, 0)):
        with pytest.raises(PhyzctlError, match="steps and every"):
            Run(engine, Constant(np.zeros(1)), initial_start(engine.model), steps, every)
