"""The sequence: even, scrambled, the same for everybody, any stretch of it on its own."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from phyzctl.native import halton

PINNED = [
    [0.779775, 0.494245, 0.079489],
    [0.279775, 0.827578, 0.879489],
    [0.529775, 0.160911, 0.679489],
]
PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29)


@pytest.mark.parametrize(("column", "base"), list(enumerate(PRIMES)))
def test_each_coordinate_fills_its_base_like_a_digit(column: int, base: int) -> None:
    """Any base² points in a row stand one in each of base² equal intervals."""
    cells = base * base
    for start in (0, 7 * cells):
        values = halton(len(PRIMES), range(start, start + cells), seed=3)[:, column]
        assert sorted(np.floor(values * cells).astype(int)) == list(range(cells))


@pytest.mark.parametrize("seed", [0, 3, 2**32 - 1, 2**32, 2**70 + 5, 2**200 + 1])
@pytest.mark.parametrize("first", [0, 4000, 123_456_789])
def test_digits_are_permuted_by_the_ranks_of_random_numbers(seed: int, first: int) -> None:
    """Digit by digit, with numpy's generator, to the last bit."""
    points = range(first, first + 200)
    found = halton(len(PRIMES), points, seed=seed)
    for column, base in enumerate(PRIMES):
        stream = np.random.PCG64([seed, column])
        values, rest, weight = [0.0] * len(points), list(points), 1.0
        for _ in range(math.ceil(40.0 / math.log2(base))):
            ranks, weight = np.argsort(stream.random_raw(base)), weight / base
            values = [
                value + weight * int(ranks[number % base])
                for value, number in zip(values, rest, strict=True)
            ]
            rest = [number // base for number in rest]
        assert found[:, column].tolist() == values


@pytest.mark.parametrize("points", [range(-1, 3), range(0, 9, 2), range(3, 0, -1)])
def test_points_count_up(points: range) -> None:
    with pytest.raises(ValueError, match="points must count up"):
        halton(2, points)


def test_a_negative_seed_is_refused() -> None:
    with pytest.raises(ValueError, match="seed must not be negative"):
        halton(2, range(3), seed=-1)


def test_a_stretch_is_part_of_the_whole() -> None:
    whole = halton(5, range(1000), seed=1)
    assert np.array_equal(whole[300:450], halton(5, range(300, 450), seed=1))


def test_the_seed_chooses() -> None:
    one, other = (halton(3, range(64), seed=seed) for seed in (0, 1))
    assert not np.array_equal(one, other)
    assert np.array_equal(one, halton(3, range(64), seed=0))


def test_the_first_points_are_pinned() -> None:
    """Of this project's own making: a change would change everybody's reports."""
    first = halton(3, range(3), seed=0)
    assert [[round(value, 6) for value in row] for row in first.tolist()] == PINNED


def test_no_point_is_outside() -> None:
    values = halton(40, range(5000), seed=2)
    assert values.min() >= 0.0
    assert values.max() < 1.0


def test_high_dimensions_have_no_stripes() -> None:
    """Unscrambled, columns 38 and 39 (primes 167, 173) run side by side for 160 points."""
    values = halton(40, range(160), seed=0)
    assert abs(np.corrcoef(values[:, 38], values[:, 39])[0, 1]) < 0.25


@pytest.mark.parametrize("power", [2, 5])
def test_integrals_converge_faster_than_by_chance(power: int) -> None:
    """The mean of the product of x^power over 4 dimensions, against its exact value."""
    exact = float(Fraction(1, power + 1) ** 4)
    values = np.prod(halton(4, range(4096), seed=0) ** power, axis=1)
    by_chance = np.std(values) / np.sqrt(len(values))
    assert abs(values.mean() - exact) < 0.5 * by_chance


def test_no_dimensions() -> None:
    assert halton(0, range(5)).shape == (5, 0)
