"""The door to the proofs: can two bodies ever touch, can they ever part?"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from phyzctl.native import _kernel
from phyzctl.native.checks import FLOAT64, INT32, check
from phyzctl.native.collision import Shapes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from phyzctl.native import System


class SearchStatus(enum.IntEnum):
    """What a search has come to."""

    OPEN = 0
    PROVED = 1
    REFUTED = 2
    """The witness contradicts the claim."""
    GRAZES = 3
    """At the witness the bodies are within 1e-5 m of touching: neither can be told."""


class SearchState(NamedTuple):
    """How far a search is."""

    status: SearchStatus
    proved: float
    """The share of the box of variables that is settled."""
    cells: int
    work: float
    """Spent so far, in units of about a nanosecond; the same on every machine."""
    distance: float
    """Signed distance [m] at the witness."""
    witness: NDArray[np.float64]
    """(nx,), of meaning when refuted or grazing."""


class Search:
    """Branch and bound over the joints between two bodies; see `certify.hpp` for the proof.

    Not for two threads at once; different searches may run side by side.
    """

    def __init__(
        self,
        system: System,
        shapes: Shapes,
        *,
        bodies: NDArray[np.int32],
        pairs: NDArray[np.int32],
        q: NDArray[np.float64],
        lower: NDArray[np.float64],
        upper: NDArray[np.float64],
        variable: NDArray[np.int32],
        polynomial: NDArray[np.float64],
        always: bool = False,
    ) -> None:
        """Prepare the claim that `bodies` (2,) never touch, or with `always` never part.

        `pairs` (m, 2) are geoms of the first and of the second. The box is `lower` to `upper`
        (nx,). `variable` (njoint,) is each joint's first variable, -1 for one that stays where
        `q` (nq,) says; a hinge or slide moves by the `polynomial` (njoint, k) of its variable,
        coefficients from the constant up; a ball joint by a rotation vector of three variables.

        Raises:
            ValueError: wrong type, shape or layout; an index that points nowhere; a geom of
                another body; bounds that are not finite or not in order.
        """
        check("bodies", bodies, INT32, (2,))
        check("pairs", pairs, INT32, (None, 2))
        check("q", q, FLOAT64, (system.nq,))
        check("lower", lower, FLOAT64, (None,))
        check("upper", upper, FLOAT64, (len(lower),))
        check("variable", variable, INT32, (system.njoint,))
        check("polynomial", polynomial, FLOAT64, (system.njoint, None))
        if shapes.count != system.ngeom:
            raise ValueError(f"shapes must be the {system.ngeom} geoms, not {shapes.count}")
        self._dimensions = len(lower)
        self._status = SearchStatus.OPEN
        self._handle = _kernel.Search(
            system._handle,
            shapes._handle,
            bodies,
            pairs,
            q,
            lower,
            upper,
            variable,
            polynomial,
            always,
        )

    def advance(self, work: float) -> SearchState:
        """Go on until the claim is settled or `work` more units are spent, without the lock."""
        self._status = SearchStatus(self._handle.advance(float(work)))
        return self.state()

    def state(self) -> SearchState:
        """How far the search is."""
        witness = np.empty(self._dimensions)
        proved, cells, spent, distance = self._handle.state(witness)
        return SearchState(self._status, proved, cells, spent, distance, witness)

    def descend(self, x: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        """From `x` (nx,) downhill to a small distance [m] of the bodies, and where that is.

        Ends at the first overlap.
        """
        check("x", x, FLOAT64, (self._dimensions,))
        found = x.copy()
        return self._handle.descend(found), found

    def distance_at(self, x: NDArray[np.float64]) -> float:
        """The signed distance [m] of the bodies at `x` (nx,), over all their geoms."""
        check("x", x, FLOAT64, (self._dimensions,))
        return self._handle.distance_at(x)
