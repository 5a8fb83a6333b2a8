"""A million pushes as one batch beside the same loop over `step`, as CPU time in the same run."""

from __future__ import annotations

import time

import numpy as np
import pytest

from phyzctl.pushing.batch import step_batch
from phyzctl.pushing.params import PusherSliderParams
from phyzctl.pushing.plane import SliderState
from tests.pushing.cases import commands, pushes

pytestmark = pytest.mark.benchmark

COUNT = 1_000_000
LOOPED = 50_000  # of them; the loop takes the same time for each
ROUNDS = 3
GOAL = 10.0


def test_a_batch_is_ten_times_a_loop() -> None:
    rng = np.random.default_rng(41)
    params = PusherSliderParams()
    rows, states = pushes(rng, params, COUNT), rng.normal(0, 1, (COUNT, 3))
    told = commands(rows[:LOOPED])
    starts = [SliderState(*each) for each in states[:LOOPED].tolist()]
    batch, loop = [], []
    for _ in range(ROUNDS):
        begin = time.process_time()
        after, modes = step_batch(params, states, rows, 0.1)
        batch.append(time.process_time() - begin)
        begin = time.process_time()
        found = [
            params.step(state, command, 0.1) for state, command in zip(starts, told, strict=True)
        ]
        loop.append((time.process_time() - begin) * COUNT / LOOPED)
    ratio = min(loop) / min(batch)
    print(f"10^6 pushes: {min(batch):.3f} s as a batch, {min(loop):.2f} s as a loop, {ratio:.1f}x")
    assert [mode for _, mode in found] == modes[:LOOPED].tolist()
    ends = np.array([(state.x, state.y, state.theta) for state, _ in found])
    assert np.allclose(ends, after[:LOOPED], rtol=1e-12, atol=1e-12)
    assert ratio >= GOAL
