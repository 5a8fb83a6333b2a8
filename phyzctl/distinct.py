"""The distinct values of an array of integers, as `numpy.unique` finds them, but at once.

That function imports all of numpy's masked arrays when it is first called: 7 ms, which is as long
as reading and compiling an arm takes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


def distinct(values: NDArray[np.integer[Any]]) -> tuple[Integers, Integers, Integers]:
    """The values in ascending order; where each stands first; and, for every item, which it is.

    An array of any shape is taken row by row.
    """
    flat = np.ravel(values).astype(np.int64)
    order = np.argsort(flat, kind="stable")
    ascending = flat[order]
    begins = np.ones(len(flat), dtype=np.bool_)
    begins[1:] = ascending[1:] != ascending[:-1]
    which = np.empty(len(flat), dtype=np.int64)
    which[order] = np.cumsum(begins) - 1
    return ascending[begins], order[begins], which
