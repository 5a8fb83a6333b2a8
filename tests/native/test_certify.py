"""The door to the search: what it refuses, and the state it gives back."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from phyzctl import native
from phyzctl.native import SearchStatus

NEARLY = 1.36  # [rad] of the quarter turn at which they would be one


def system(other: Sequence[float] | NDArray[np.float64] = (0.0, 1.0, 0.0)) -> native.System:
    """A sphere that turns on an arm of 1 m about z, and one that stands at `other`."""
    integers = np.int32
    return native.System(
        nq=1,
        body_parent=np.array([-1], integers),
        body_pos=np.zeros((1, 3)),
        body_quat=np.array([[1.0, 0.0, 0.0, 0.0]]),
        joint_start=np.array([0, 1], integers),
        joint_type=np.array([3], integers),
        joint_axis=np.array([[0.0, 0.0, 1.0]]),
        joint_anchor=np.zeros((1, 3)),
        joint_ref=np.zeros(1),
        q_offset=np.array([0], integers),
        geom_body=np.array([-1, 0], integers),
        geom_pos=np.array([[*other], [1.0, 0.0, 0.0]]),
        geom_quat=np.tile([1.0, 0.0, 0.0, 0.0], (2, 1)),
    )


def shapes() -> native.Shapes:
    sizes = np.array([[0.1, 0.0, 0.0]] * 2)
    return native.Shapes(np.array([2, 2], np.int32), sizes)


def search(**changes: Any) -> native.Search:
    arguments: dict[str, Any] = {
        "bodies": np.array([-1, 0], np.int32),
        "pairs": np.array([[0, 1]], np.int32),
        "q": np.zeros(1),
        "lower": np.array([-1.0]),
        "upper": np.array([NEARLY]),
        "variable": np.array([0], np.int32),
        "polynomial": np.array([[0.0, 1.0]]),
    }
    return native.Search(system(), shapes(), **(arguments | changes))


def test_a_claim_that_holds_is_proved() -> None:
    state = search().advance(1e7)
    assert state.status is SearchStatus.PROVED
    assert state.proved == 1.0
    assert state.cells > 1
    assert 0.0 < state.work < 1e7


def test_a_claim_that_fails_has_a_witness() -> None:
    state = search(upper=np.array([1.5])).advance(1e7)
    assert state.status is SearchStatus.REFUTED
    angle = state.witness[0]
    chord = 2.0 * np.sin(0.5 * (np.pi / 2 - angle))
    assert state.distance == pytest.approx(chord - 0.2, abs=1e-12)


@pytest.mark.parametrize("half", [0.1, 0.6, 1.5, 3.0])
@pytest.mark.parametrize("margin", [-1e-6, 1e-6])
def test_the_bound_on_a_turn_is_its_chord_and_not_more(half: float, margin: float) -> None:
    """The other sphere stands where the chord points, and is just met at its end, or just not."""
    chord = np.array([np.cos(half) - 1.0, np.sin(half), 0.0])
    along = chord / np.linalg.norm(chord)
    end = np.array([np.cos(half), np.sin(half), 0.0])
    other = end + (0.2 + margin) * along
    one = native.Search(
        system(other),
        shapes(),
        bodies=np.array([-1, 0], np.int32),
        pairs=np.array([[0, 1]], np.int32),
        q=np.zeros(1),
        lower=np.array([-half]),
        upper=np.array([half]),
        variable=np.array([0], np.int32),
        polynomial=np.array([[0.0, 1.0]]),
    )
    one.advance(1.0)
    at_once = one.advance(1.0).status is SearchStatus.PROVED and one.state().cells == 1
    assert at_once == (margin > 0.0)


def test_no_work_is_no_progress_and_more_work_goes_on() -> None:
    one = search()
    assert one.advance(0.0).cells == 0
    assert one.advance(1.0).cells == 1
    steps = one.state().cells
    assert one.advance(1e7).cells > steps


def test_the_same_search_has_the_same_cells() -> None:
    whole = search().advance(1e7)
    parts = search()
    while (state := parts.advance(500.0)).status is SearchStatus.OPEN:
        pass
    assert (state.cells, state.work) == (whole.cells, whole.work)


def test_a_held_joint_stands_where_it_is_said_to() -> None:
    held = search(
        variable=np.array([-1], np.int32), q=np.array([1.5]), lower=np.zeros(0), upper=np.zeros(0)
    )
    assert held.advance(1.0).status is SearchStatus.REFUTED


def test_distance_and_descent() -> None:
    one = search()
    assert one.distance_at(np.array([0.0])) == pytest.approx(np.sqrt(2.0) - 0.2, abs=1e-12)
    start = np.array([0.0])
    distance, x = one.descend(start)
    assert x == pytest.approx([NEARLY], abs=1e-6)
    assert distance == pytest.approx(2.0 * np.sin(0.5 * (np.pi / 2 - NEARLY)) - 0.2, abs=1e-6)
    assert start[0] == 0.0


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"bodies": np.array([-1, 1], np.int32)}, "bodies\\[1\\] is neither"),
        ({"bodies": np.array([0, -1], np.int32)}, "pairs\\[0\\] is not a geom"),
        ({"bodies": np.array([0.0, 1.0])}, "bodies must have dtype int32"),
        ({"pairs": np.array([[0, 2]], np.int32)}, "pairs\\[0\\] names a shape"),
        ({"variable": np.array([1], np.int32)}, "variable\\[0\\] is more"),
        ({"variable": np.array([0, 0], np.int32)}, "variable must have shape"),
        ({"polynomial": np.zeros((2, 2))}, "polynomial must have shape"),
        ({"lower": np.array([np.nan])}, "lower\\[0\\] and upper\\[0\\]"),
        ({"upper": np.array([-2.0])}, "lower\\[0\\] and upper\\[0\\]"),
        ({"upper": np.array([np.inf])}, "lower\\[0\\] and upper\\[0\\]"),
        ({"q": np.zeros(2)}, "q must have shape"),
    ],
)
def test_what_is_wrong_is_refused(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        search(**changes)


def test_the_search_keeps_what_it_needs_alive() -> None:
    one = search()
    gc.collect()
    assert one.advance(1e7).status is SearchStatus.PROVED
