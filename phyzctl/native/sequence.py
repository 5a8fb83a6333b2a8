"""Points that fill a cube evenly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phyzctl.native import _kernel


def halton(dimensions: int, points: range, *, seed: int = 0) -> NDArray[np.float64]:
    """(len(points), dimensions) in [0, 1): those points of Halton's sequence, scrambled by `seed`.

    Scrambling breaks the stripes that large primes make; it is the same everywhere. `points`
    counts up one by one; any stretch of the sequence can be had on its own: points 0 to 99 are the
    same whether 100 or 10,000 are asked for. `halton.hpp` says how they are made.

    Raises:
        ValueError: points that don't count up one by one from 0 or higher; a negative seed.
    """
    if points.step != 1 or points.start < 0:
        raise ValueError("points must count up one by one, from 0 or higher")
    if seed < 0:
        raise ValueError("seed must not be negative")
    words = max(1, -(-seed.bit_length() // 32))
    entropy = np.frombuffer(seed.to_bytes(4 * words, "little"), dtype="<u4").astype(np.uint32)
    result = np.empty((len(points), dimensions))
    _kernel.halton(entropy, points.start, result)
    return result
