"""The door to the scene's loops: what it refuses, and answers against the single functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from phyzctl import native
from phyzctl.scene.environment import CollisionEnv
from tests.scene.robots import random_obstacles, seven_axis_arm

ARM = seven_axis_arm()
PREPARED = CollisionEnv(random_obstacles(np.random.default_rng(1), 20)).prepare(ARM)
Q = np.random.default_rng(2).uniform(-2.8, 2.8, (50, 7))
FUNCTIONS: list[Callable[..., Any]] = [
    native.first_hits,
    native.nearest_pairs,
    native.first_contacts,
]


def everything() -> native.Distances:
    poses = native.kinematics(PREPARED.system, Q).geoms
    return native.distances(PREPARED.shapes, poses, PREPARED.pair_array)


@pytest.mark.parametrize("margin", [0.0, 0.03])
def test_first_hits(margin: float) -> None:
    pairs = PREPARED.pair_array
    found = native.first_hits(PREPARED.system, PREPARED.shapes, Q, pairs, margin=margin)
    touching = everything().distance <= margin
    expected = np.where(touching.any(axis=1), touching.argmax(axis=1), -1)
    assert (found == expected).all()
    assert (found >= 0).any()


def test_nearest_pairs() -> None:
    found = native.nearest_pairs(PREPARED.system, PREPARED.shapes, Q, PREPARED.pair_array)
    distance = everything().distance
    assert (found.pair == distance.argmin(axis=1)).all()
    np.testing.assert_allclose(found.distance, distance.min(axis=1), atol=1e-14)


def test_first_contacts_at_way_points() -> None:
    times = native.first_contacts(PREPARED.system, PREPARED.shapes, Q, PREPARED.pair_array)
    touching = everything().distance <= 0.0
    for pair in np.flatnonzero(touching.any(axis=0)):
        assert 0.0 <= times[pair] <= touching[:, pair].argmax()


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_the_door_refuses(function: Callable[..., Any]) -> None:
    system, shapes, pairs = PREPARED.system, PREPARED.shapes, PREPARED.pair_array
    other = CollisionEnv.EMPTY.prepare(ARM).shapes
    cases: list[tuple[tuple[Any, ...], str]] = [
        ((system, shapes, Q.astype(np.float32), pairs), "q must have dtype float64"),
        ((system, shapes, Q[:, :6], pairs), "q must have shape"),
        ((system, shapes, Q[::2].T.copy().T, pairs), "q must be C-contiguous"),
        ((system, shapes, np.full((1, 7), np.nan), pairs), "q must be finite"),
        ((system, shapes, Q, pairs.astype(np.int64)), "pairs must have dtype int32"),
        (
            (system, shapes, Q, np.array([[0, 99]], dtype=np.int32)),
            "names a shape that isn't there",
        ),
        ((system, other, Q, pairs), "shapes must be the 28 geoms"),
    ]
    for arguments, message in cases:
        with pytest.raises(ValueError, match=message):
            function(*arguments)


@pytest.mark.parametrize("function", [native.first_hits, native.first_contacts])
def test_margins_that_make_no_sense(function: Callable[..., Any]) -> None:
    for margin in (-1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="margin must be finite and not negative"):
            function(PREPARED.system, PREPARED.shapes, Q, PREPARED.pair_array, margin=margin)
