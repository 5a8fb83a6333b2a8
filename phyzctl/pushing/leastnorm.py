"""Small exact linear algebra: systems of up to three unknowns, least norms under inequalities."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

Vector = tuple[float, float, float]

LEVEL = 1e-9  # relative to the speeds: below it, two numbers are the same
_PIVOT = 1e-11  # relative to the largest entry


def dot(a: Vector, b: Vector) -> float:
    """The inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def added(a: Vector, b: Vector) -> Vector:
    """The sum."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def scaled(factor: float, a: Vector) -> Vector:
    """The multiple."""
    return factor * a[0], factor * a[1], factor * a[2]


def solve(
    matrix: list[list[float]], right: Sequence[float], level: float
) -> tuple[list[float], list[float] | None] | None:
    """A solution of a square system of up to three unknowns, and a direction in which it is free.

    Gaussian elimination with complete pivoting. None when there is no solution to within `level`,
    or when more than one direction is free.
    """
    count = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    order = list(range(count))
    largest = max((abs(entry) for row in matrix for entry in row), default=0.0)
    for k in range(count):
        size, i, j = max((abs(rows[i][j]), i, j) for i in range(k, count) for j in range(k, count))
        if size <= _PIVOT * largest:
            return _one_free(rows, order, level) if k == count - 1 else None
        rows[k], rows[i] = rows[i], rows[k]
        order[k], order[j] = order[j], order[k]
        for row in rows:
            row[k], row[j] = row[j], row[k]
        for row in rows[k + 1 :]:
            factor = row[k] / rows[k][k]
            for column in range(k, count + 1):
                row[column] -= factor * rows[k][column]
    return _in_order(order, _back(rows, [row[count] for row in rows], count)), None


def _one_free(
    rows: list[list[float]], order: list[int], level: float
) -> tuple[list[float], list[float]] | None:
    """The line of solutions when the last row has come out empty."""
    last = len(rows) - 1
    if abs(rows[last][-1]) > level:
        return None
    base = [*_back(rows, [row[-1] for row in rows], last), 0.0]
    free = [*_back(rows, [-row[last] for row in rows], last), 1.0]
    return _in_order(order, base), _in_order(order, free)


def _back(rows: list[list[float]], right: list[float], count: int) -> list[float]:
    """Back substitution in the first `count` rows and columns."""
    x = [0.0] * count
    for k in reversed(range(count)):
        known = sum(rows[k][j] * x[j] for j in range(k + 1, count))
        x[k] = (right[k] - known) / rows[k][k]
    return x


def _in_order(order: list[int], values: list[float]) -> list[float]:
    return [value for _, value in sorted(zip(order, values, strict=True))]


class Multiple(NamedTuple):
    """The multiple asked for, and whether others would have done that lead elsewhere."""

    value: float
    several: bool


def least_multiple(
    u: Vector, way: Vector, limits: Sequence[tuple[float, float]], level: float
) -> Multiple | None:
    """The a for which |u + a way| is least while value + a slope <= 0 for every (value, slope).

    None when no a will do; each limit may be missed by `level`.
    """
    exact, loose = [-math.inf, math.inf], [-math.inf, math.inf]
    for value, slope in limits:
        if abs(slope) <= _PIVOT:
            if value > level:
                return None
            continue
        for ends, slack in ((exact, 0.0), (loose, level)):
            bound = (slack - value) / slope
            ends[slope > 0.0] = min(ends[1], bound) if slope > 0.0 else max(ends[0], bound)
    if loose[0] > loose[1]:
        return None
    low, high = exact if exact[0] <= exact[1] else [0.5 * sum(loose)] * 2
    square = dot(way, way)
    best = -dot(u, way) / square if square > _PIVOT else 0.0
    room = (high - low) * math.sqrt(square)
    return Multiple(min(max(best, low), high), several=square > _PIVOT and room > 1e3 * level)


def least_weights(
    wrenches: Sequence[Vector], u: Vector, products: Sequence[Sequence[float]]
) -> list[float]:
    """Weights of at least 0 that sum the wrenches up to u, of the least norm under `products`.

    `products[i][j]` is the inner product of the forces i and j. The least stands on some of the
    wrenches, where it is the least of either sign: each such choice is tried. Zeros when u is
    beyond the reach of the wrenches.
    """
    best, least = [0.0] * len(wrenches), math.inf
    size = max(abs(each) for each in u)
    for count in range(_least_count(wrenches), len(wrenches) + 1):
        for chosen in itertools.combinations(range(len(wrenches)), count):
            weights = _equal_weights([wrenches[i] for i in chosen], u, products, chosen)
            reached = np.array([wrenches[i] for i in chosen]).T @ weights
            if weights.min() < -1e-7 * size or np.abs(reached - u).max() > 1e-7 * size:
                continue
            norm = sum(
                weights[a] * weights[b] * products[i][j]
                for a, i in enumerate(chosen)
                for b, j in enumerate(chosen)
            )
            if norm < least * (1.0 - 1e-9):
                best, least = [0.0] * len(wrenches), float(norm)
                for i, weight in zip(chosen, weights, strict=True):
                    best[i] = max(float(weight), 0.0)
    return best


def _least_count(wrenches: Sequence[Vector]) -> int:
    """How many must be chosen at least: all, if they are independent, since one choice will do."""
    if not wrenches or np.linalg.matrix_rank(np.array(wrenches), tol=1e-9) == len(wrenches):
        return max(len(wrenches), 1)
    return 1


def _equal_weights(
    wrenches: Sequence[Vector],
    u: Vector,
    products: Sequence[Sequence[float]],
    chosen: Sequence[int],
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Weights of either sign that sum the wrenches up to u, of the least norm."""
    count = len(chosen)
    system = np.zeros((count + 3, count + 3))
    system[:count, :count] = [[products[i][j] for j in chosen] for i in chosen]
    system[count:, :count] = np.array(wrenches).T
    system[:count, count:] = np.array(wrenches)
    right = np.concatenate([np.zeros(count), u])
    solution: np.ndarray[tuple[int], np.dtype[np.float64]]
    solution = np.linalg.lstsq(system, right, rcond=1e-12)[0][:count]
    return solution
