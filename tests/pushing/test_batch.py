"""Arrays of pushes: the same as one by one, whatever their number; what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from phyzctl.pushing.batch import (
    commands_array,
    contact_point_batch,
    states_array,
    step_batch,
    twist_batch,
)
from phyzctl.pushing.checks import ParameterError
from phyzctl.pushing.command import PusherCommand
from phyzctl.pushing.plane import SliderState
from tests.pushing.cases import DEFAULT, Array, blocks, commands


def states(rng: np.random.Generator, count: int) -> Array:
    return rng.normal(0, 3, (count, 3))


def test_steps_are_those_of_single_calls() -> None:
    rng = np.random.default_rng(31)
    for params, rows in blocks(31, count=12, size=150):
        before = states(rng, len(rows))
        rows[::7, 2] *= -1
        rows[::11, 1] *= 3  # past the end of the face
        after, modes = step_batch(params, before, rows, 0.13)
        for index, command in enumerate(commands(rows)):
            state, mode = params.step(SliderState(*before[index].tolist()), command, 0.13)
            expected = (state.x, state.y, state.theta)
            assert after[index].tolist() == pytest.approx(expected, rel=1e-12, abs=1e-12)
            assert modes[index] == mode


def test_contact_points_are_those_of_single_calls() -> None:
    rng = np.random.default_rng(32)
    for params, rows in blocks(32, count=4, size=100):
        before = states(rng, len(rows))
        found = contact_point_batch(params, before, rows)
        for index, command in enumerate(commands(rows)):
            expected = params.contact_point(SliderState(*before[index].tolist()), command)
            assert found[index].tolist() == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("count", [0, 1, 8191, 8192, 8193, 20000])
def test_chunks_leave_no_seams(count: int) -> None:
    rng = np.random.default_rng(33)
    _, rows = next(blocks(33, count=1, size=20000))
    rows[:, 1] *= 0.05
    before = states(rng, 20000)
    all_after, all_modes = step_batch(DEFAULT, before, rows, 0.1)
    after, modes = step_batch(DEFAULT, before[:count], rows[:count], 0.1)
    assert (after == all_after[:count]).all()
    assert (modes == all_modes[:count]).all()
    assert after.shape == (count, 3)
    assert modes.dtype == np.int8


def test_one_command_serves_all_states_and_one_state_all_commands() -> None:
    rng = np.random.default_rng(34)
    _, rows = next(blocks(34, count=1, size=10))
    before = states(rng, 10)
    one, _ = step_batch(DEFAULT, before, rows[:1], 0.1)
    same, _ = step_batch(DEFAULT, before, np.repeat(rows[:1], 10, axis=0), 0.1)
    assert (one == same).all()
    one, _ = step_batch(DEFAULT, before[:1], rows, 0.1)
    same, _ = step_batch(DEFAULT, np.repeat(before[:1], 10, axis=0), rows, 0.1)
    assert (one == same).all()


def test_the_arguments_stay_as_they_are() -> None:
    _, rows = next(blocks(35, count=1, size=10))
    before = np.zeros((10, 3))
    kept = rows.copy()
    step_batch(DEFAULT, before, rows, 0.1)
    assert (rows == kept).all()
    assert (before == 0).all()


def test_lists_will_do() -> None:
    after, modes = step_batch(DEFAULT, [[0, 0, 0]], [[0, 0.03, 0.05, 0]], 0.1)
    state, mode = DEFAULT.step(SliderState(), PusherCommand(0, 0.03, 0.05), 0.1)
    assert after[0].tolist() == pytest.approx((state.x, state.y, state.theta))
    assert modes[0] == mode


def test_states_and_commands_as_arrays() -> None:
    assert states_array([SliderState(1, 2, 3)]).tolist() == [[1, 2, 3]]
    assert commands_array([PusherCommand(2, 0.1, 3, 4)]).tolist() == [[2, 0.1, 3, 4]]
    assert states_array([]).shape == (0, 3)
    assert commands_array([]).shape == (0, 4)


GOOD_STATES, GOOD = np.zeros((2, 3)), np.zeros((2, 4))
REFUSED = {
    "states": (np.zeros((2, 4)), GOOD, r"states must have the shape \(n, 3\), not \(2, 4\)"),
    "flat": (np.zeros(3), GOOD, r"states must have the shape"),
    "commands": (GOOD_STATES, np.zeros((2, 3)), r"commands must have the shape \(n, 4\)"),
    "counts": (np.zeros((3, 3)), GOOD, "commands must be as many as the states or one: 2 for 3"),
    "nan": (np.array([(0, 0, 0), (0, np.nan, 0)]), GOOD, r"states row 1: .* is not finite"),
    "inf": (GOOD_STATES, np.array([(0, 0, np.inf, 0)]), r"commands row 0: .* is not finite"),
    "face": (GOOD_STATES, np.array([(0, 0, 1, 0), (4, 0, 1, 0)]), "row 1: there is no face 4"),
    "half a face": (GOOD_STATES, np.array([(0.5, 0, 1, 0)]), "there is no face 0.5"),
}


@pytest.mark.parametrize(("before", "told", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(before: Array, told: Array, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        step_batch(DEFAULT, before, told, 0.1)
    with pytest.raises(ParameterError, match=message):
        contact_point_batch(DEFAULT, before, told)


def test_time_runs_forwards() -> None:
    with pytest.raises(ParameterError, match="dt must be"):
        step_batch(DEFAULT, GOOD_STATES, GOOD, -0.1)


def test_no_warnings_where_the_cone_is_open() -> None:
    """Division by what is zero or negative happens only where the edge is not used."""
    steep = type(DEFAULT)(0.05, 0.03, 2 * 0.03 / 0.05)
    rows = np.array([(0, 0.03, 1, slip) for slip in np.linspace(-100, 100, 1001)])
    twists, _ = twist_batch(steep, rows)
    assert np.isfinite(twists).all()
