"""Points that fill a cube evenly: the sequence of Halton, digits scrambled at random.

Coordinate k of point i is the mirrored expansion of i in the k-th prime, each of its digits put
through a random permutation of its own. Scrambling breaks the stripes that large primes make;
seeded from a bit generator's raw stream, it is the same everywhere. Any stretch of the sequence
can be had on its own: points 0 to 99 are the same whether 100 or 10,000 are asked for.

Halton, J. H. (1960), On the efficiency of certain quasi-random sequences of points; Owen, A. B.
(2017), A randomized Halton algorithm.
"""

from __future__ import annotations

from itertools import count

import numpy as np
from numpy.typing import NDArray

from phyzctl.spatial import Array

_DIGITS_FOR = 2.0**40  # scrambled digits per coordinate, in points told apart


def halton(dimensions: int, points: range, *, seed: int = 0) -> Array:
    """(len(points), dimensions) in [0, 1): those points of the sequence that `seed` chooses.

    `points` counts up one by one.
    """
    indices = np.arange(points.start, points.stop, dtype=np.int64)
    result = np.empty((len(indices), dimensions))
    for column, base in enumerate(_primes(dimensions)):
        result[:, column] = _coordinate(indices, base, np.random.PCG64([seed, column]))
    return result


def _coordinate(indices: NDArray[np.int64], base: int, bits: np.random.PCG64) -> Array:
    values = np.zeros(len(indices))
    rest, weight = indices, 1.0 / base
    for _ in range(int(np.ceil(np.log(_DIGITS_FOR) / np.log(base)))):
        shuffled = np.argsort(bits.random_raw(base), kind="stable").astype(np.float64)
        rest, digit = np.divmod(rest, base)
        values += weight * shuffled[digit]
        weight /= base
    return np.minimum(values, np.nextafter(1.0, 0.0))


def _primes(wanted: int) -> list[int]:
    found: list[int] = []
    for number in count(2):
        if len(found) >= wanted:
            break
        if all(number % prime for prime in found if prime * prime <= number):
            found.append(number)
    return found
