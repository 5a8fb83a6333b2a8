"""The small linear algebra below two contacts, against numpy and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import nnls

from phyzctl.pushing.leastnorm import Multiple, least_multiple, least_weights, solve

LEVEL = 1e-9


@pytest.mark.parametrize("count", [1, 2, 3])
def test_regular_systems(count: int) -> None:
    rng = np.random.default_rng(51)
    for _ in range(200):
        matrix, right = rng.normal(0, 1, (count, count)), rng.normal(0, 1, count)
        found = solve(matrix.tolist(), right.tolist(), LEVEL)
        assert found is not None
        assert found[1] is None
        expected = np.linalg.solve(matrix, right)
        assert found[0] == pytest.approx(expected.tolist(), rel=1e-8, abs=1e-8)


def test_no_unknowns_are_a_system_too() -> None:
    assert solve([], [], LEVEL) == ([], None)


def test_rows_that_must_be_exchanged() -> None:
    assert solve([[0, 1], [1, 0]], [3, 5], LEVEL) == ([5, 3], None)
    assert solve([[0, 0, 2], [0, 3, 0], [4, 0, 0]], [2, 3, 4], LEVEL) == ([1, 1, 1], None)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_systems_with_one_free_direction(count: int) -> None:
    rng = np.random.default_rng(52)
    for _ in range(200):
        basis = rng.normal(0, 1, (count, count - 1))
        matrix = basis @ rng.normal(0, 1, (count - 1, count))
        x = rng.normal(0, 1, count)
        found = solve(matrix.tolist(), (matrix @ x).tolist(), LEVEL)
        assert found is not None
        base, free = found
        assert free is not None
        assert matrix @ base == pytest.approx(matrix @ x, abs=1e-7)
        assert matrix @ free == pytest.approx(np.zeros(count), abs=1e-7)
        assert np.abs(free).max() >= 1


def test_systems_that_contradict_themselves() -> None:
    assert solve([[1, -1], [-1, 1]], [1, 1], LEVEL) is None
    assert solve([[0]], [1], LEVEL) is None
    assert solve([[0]], [1e-10], LEVEL) == ([0], [1])


def test_two_free_directions_are_left_alone() -> None:
    assert solve([[0, 0], [0, 0]], [0, 0], LEVEL) is None


MULTIPLES = {
    "free": ((1, 0, 0), (1, 0, 0), [], (-1, True)),
    "across": ((1, 0, 0), (0, 1, 0), [], (0, True)),
    "from above": ((1, 0, 0), (1, 0, 0), [(0.5, 1)], (-1, True)),
    "from below": ((1, 0, 0), (1, 0, 0), [(-0.5, -1)], (-0.5, True)),
    "a point": ((1, 0, 0), (1, 0, 0), [(-0.5, -1), (0.5, 1)], (-0.5, False)),
    "nowhere": ((1, 0, 0), (1, 0, 0), [(0.5, 1), (0.5, -1)], None),
    "level": ((1, 0, 0), (1, 0, 0), [(1, 0)], None),
    "no way": ((1, 0, 0), (0, 0, 0), [(-3, 1), (2, -1)], (2, False)),
}


@pytest.mark.parametrize(("u", "way", "limits", "expected"), MULTIPLES.values(), ids=MULTIPLES)
def test_least_multiples(
    u: tuple[float, float, float],
    way: tuple[float, float, float],
    limits: list[tuple[float, float]],
    expected: tuple[float, bool] | None,
) -> None:
    assert least_multiple(u, way, limits, LEVEL) == (Multiple(*expected) if expected else None)


def test_a_gap_of_rounding_alone_is_none() -> None:
    found = least_multiple((1, 0, 0), (1, 0, 0), [(0.5, 1), (-0.5 + 1e-10, -1)], LEVEL)
    assert found is not None
    assert found.value == pytest.approx(-0.5)
    assert not found.several


def test_independent_weights_are_those_that_solve() -> None:
    rng = np.random.default_rng(53)
    for count in (1, 2, 3):
        wrenches, weights = rng.normal(0, 1, (count, 3)), rng.uniform(0.1, 1, count)
        u = weights @ wrenches
        rows = [tuple(row) for row in wrenches.tolist()]
        found = least_weights(rows, tuple(u.tolist()), np.eye(count).tolist())
        assert found == pytest.approx(weights.tolist())


def test_redundant_weights_are_of_least_norm() -> None:
    """Four wrenches in a space of three, against non-negative least squares with a penalty."""
    rng = np.random.default_rng(54)
    for _ in range(60):
        wrenches, weights = rng.normal(0, 1, (4, 3)), rng.uniform(0, 1, 4)
        u = weights @ wrenches
        rows = [tuple(row) for row in wrenches.tolist()]
        found = np.array(least_weights(rows, tuple(u.tolist()), np.eye(4).tolist()))
        assert (found >= 0).all()
        assert found @ wrenches == pytest.approx(u, abs=1e-6)
        penalty = 1e-5
        system = np.vstack([wrenches.T, penalty * np.eye(4)])
        expected, _ = nnls(system, np.concatenate([u, np.zeros(4)]))
        assert found == pytest.approx(expected, abs=1e-4)


def test_what_no_weights_reach() -> None:
    assert least_weights([(1, 0, 0)], (-1, 0, 0), [[1]]) == [0]
    assert least_weights([], (0, 0, 0), []) == []
