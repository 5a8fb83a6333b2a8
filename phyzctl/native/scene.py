"""The door to what a scene asks: what touches in many configurations, and when on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from phyzctl.native import _kernel
from phyzctl.native.checks import FLOAT64, INT32, check

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from phyzctl.native import Shapes, System


class Nearest(NamedTuple):
    """Of n configurations each the pair of least signed distance."""

    distance: NDArray[np.float64]
    """(n,) [m]; infinite without pairs."""
    pair: NDArray[np.int32]
    """(n,) index into the pairs; -1 without pairs."""


def first_hits(
    system: System,
    shapes: Shapes,
    q: NDArray[np.float64],
    pairs: NDArray[np.int32],
    *,
    margin: float = 0.0,
) -> NDArray[np.int32]:
    """Which of `pairs` (m, 2) is the first within `margin` [m], in each row of `q` (n, nq).

    The result (n,) are indices into the pairs, -1 where none comes so near. `shapes` has one item
    for each geom of `system`. Runs without the interpreter lock.

    Raises:
        ValueError: wrong type, shape or layout; a configuration or margin that is not finite; an
            index that points nowhere; a pair that has no distance.
    """
    _check(system, shapes, q, pairs, margin)
    pair = np.empty(len(q), dtype=np.int32)
    _kernel.first_hits(system._handle, shapes._handle, q, pairs, float(margin), pair)
    return pair


def nearest_pairs(
    system: System, shapes: Shapes, q: NDArray[np.float64], pairs: NDArray[np.int32]
) -> Nearest:
    """In each configuration of `q` (n, nq) the nearest of `pairs` (m, 2); see `first_hits`.

    Raises:
        ValueError: as `first_hits`.
    """
    _check(system, shapes, q, pairs, 0.0)
    distance, pair = np.empty(len(q)), np.empty(len(q), dtype=np.int32)
    _kernel.nearest_pairs(system._handle, shapes._handle, q, pairs, distance, pair)
    return Nearest(distance, pair)


def first_contacts(
    system: System,
    shapes: Shapes,
    q: NDArray[np.float64],
    pairs: NDArray[np.int32],
    *,
    margin: float = 0.0,
) -> NDArray[np.float64]:
    """When each of `pairs` (m, 2) first comes within `margin` [m] on the way through `q`: (m,).

    Between the rows of `q` (n, nq) hinges and slides go straight, ball and free joints turn the
    shorter way round. A time i + f is between rows i and i + 1; -1 is never. What comes within
    1e-7 m of the margin counts; nothing that crosses it is missed. Runs without the interpreter
    lock.

    Raises:
        ValueError: as `first_hits`.
    """
    _check(system, shapes, q, pairs, margin)
    time = np.empty(len(pairs))
    _kernel.first_contacts(system._handle, shapes._handle, q, pairs, float(margin), time)
    return time


def _check(
    system: System,
    shapes: Shapes,
    q: NDArray[np.float64],
    pairs: NDArray[np.int32],
    margin: float,
) -> None:
    check("q", q, FLOAT64, (None, system.nq))
    check("pairs", pairs, INT32, (None, 2))
    if shapes.count != system.ngeom:
        raise ValueError(f"shapes must be the {system.ngeom} geoms, not {shapes.count}")
    if not np.isfinite(q).all():
        raise ValueError("q must be finite")
    if not 0.0 <= margin < np.inf:
        raise ValueError(f"margin must be finite and not negative, not {margin}")
