"""Many configurations at once: which of them touch anything, and how near things come."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phyzctl import native
from phyzctl.records import dataclass
from phyzctl.scene.contact import ContactKind, Ref
from phyzctl.scene.prepared import Prepared
from phyzctl.spatial import Array


@dataclass(frozen=True, eq=False)
class BatchReport:
    """What n configurations come to.

    `collides` (n,) says where checked pairs come within the margin; `pair` (n,) which, as an index
    into `pairs`: the first found or, with distances, the nearest; -1 for none. `distance` (n,) is
    the least gap of padded shapes [m], None when not asked for.
    """

    collides: NDArray[np.bool_]
    pair: NDArray[np.int32]
    pairs: tuple[tuple[ContactKind, Ref, Ref], ...]
    distance: Array | None


def batch(prepared: Prepared, q: Array, margin: float, *, distances: bool) -> BatchReport:
    """Look at all configurations `q` (n, nq)."""
    arguments = (prepared.system, prepared.shapes, q, prepared.pair_array)
    if distances:
        distance, pair = native.nearest_pairs(*arguments)
        return BatchReport(distance <= margin, pair, prepared.references, distance)
    pair = native.first_hits(*arguments, margin=margin)
    return BatchReport(pair >= 0, pair, prepared.references, None)
