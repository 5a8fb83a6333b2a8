"""Points that fill a cube evenly: the sequence of Halton, digits scrambled at random.

Coordinate k of point i is the mirrored expansion of i in the k-th prime, each of its digits put
through a random permutation of its own. Scrambling breaks the stripes that large primes make;
seeded from a bit generator's raw stream, it is the same everywhere. Any stretch of the sequence
can be had on its own: points 0 to 99 are the same whether 100 or 10,000 are asked for.

Halton, J. H. (1960), On the efficiency of certain quasi-random sequences of points; Owen, A. B.
(2017), A randomized Halton algorithm.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import accumulate, count, repeat

import numpy as np
from numpy.typing import NDArray

from phyzctl.spatial import Array

_DIGITS_FOR = 2.0**40  # scrambled digits per coordinate, in points told apart


def halton(dimensions: int, points: range, *, seed: int = 0) -> Array:
    """(len(points), dimensions) in [0, 1): those points of the sequence that `seed` chooses.

    `points` counts up one by one.
    """
    result = np.empty((len(points), dimensions))
    for column, base in enumerate(_primes(dimensions)):
        result[:, column] = _coordinate(points, base, np.random.PCG64([seed, column]))
    return result


def _coordinate(points: range, base: int, bits: np.random.PCG64) -> Array:
    count = math.ceil(math.log(_DIGITS_FOR) / math.log(base))
    shuffled = [np.argsort(bits.random_raw(base), kind="stable") for _ in range(count)]
    weights = list(accumulate(repeat(1.0 / base, count), lambda weight, _: weight / base))
    low = 0
    while base**low < len(points) and low < count:
        low += 1
    cycle = _sums(zip(weights[:low], shuffled[:low], strict=True))
    values = np.empty(len(points))
    for stretch in _stretches(points, len(cycle)):
        part = cycle[stretch.start % len(cycle) :][: len(stretch)]
        rest = stretch.start // len(cycle)
        for weight, digits in zip(weights[low:], shuffled[low:], strict=True):
            rest, digit = divmod(rest, base)
            part = part + weight * digits[digit]
        values[stretch.start - points.start :][: len(stretch)] = part
    return np.minimum(values, math.nextafter(1.0, 0.0))


def _sums(digits: Iterable[tuple[float, NDArray[np.int64]]]) -> Array:
    """What the lowest digits come to, for all of their values in turn: they soon repeat."""
    sums = np.zeros(1)
    for weight, shuffled in digits:
        sums = np.add.outer(weight * shuffled, sums).ravel()
    return sums


def _stretches(points: range, period: int) -> Iterator[range]:
    """The points up to each multiple of `period`: their higher digits are the same."""
    start = points.start
    while start < points.stop:
        stop = min(points.stop, (start // period + 1) * period)
        yield range(start, stop)
        start = stop


def _primes(wanted: int) -> list[int]:
    found: list[int] = []
    for number in count(2):
        if len(found) >= wanted:
            break
        if all(number % prime for prime in found if prime * prime <= number):
            found.append(number)
    return found
