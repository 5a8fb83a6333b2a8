"""The door to contacts: where geoms touch, and the law that acts there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from phyzctl.native import _kernel
from phyzctl.native.checks import FLOAT64, INT32, check

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from phyzctl.native import Shapes, System


class ContactWorld:
    """Geoms, pairs of them that may touch, and their laws: copied and checked once."""

    __slots__ = ("_handle", "npair", "rebounds", "shapes", "system")

    def __init__(
        self,
        system: System,
        shapes: Shapes,
        geoms: NDArray[np.int32],
        law: NDArray[np.int32],
        *,
        dimension: NDArray[np.int32],
        friction: NDArray[np.float64],
        solref: NDArray[np.float64],
        solref_friction: NDArray[np.float64],
        solimp: NDArray[np.float64],
        margin: NDArray[np.float64],
        gap: NDArray[np.float64],
        adhesion: NDArray[np.float64] | None = None,
        restitution: NDArray[np.float64] | None = None,
        manifolds: bool = True,
    ) -> None:
        """Copy the pairs `geoms` (npair, 2) of `system`, `shapes` being all its geoms.

        The first geom of a pair has the smaller type; contact normals point from it to the
        second. `law` (npair,) is which of the laws holds. These are MuJoCo's: `dimension` (nlaw,)
        1, 3, 4 or 6; `friction` (nlaw, 5); `solref`, `solref_friction` (nlaw, 2); `solimp`
        (nlaw, 5); contacts exist up to the distance `margin` + `gap` (nlaw,) [m] and can pull with
        `adhesion` (nlaw,) [N], zero if not given. What hits is
        thrown back with `restitution` (nlaw,), from 0, the default, to 1, times its speed.
        Without `manifolds`, pairs that have no formula meet in one point at most.

        Raises:
            ValueError: wrong type, shape or layout; an index that points nowhere; a pair in the
                wrong order, of half-spaces, or with a shape that is unknown; a number that is NaN.
        """
        self.system, self.shapes, self.npair = system, shapes, len(geoms)
        if shapes.count != system.ngeom:
            raise ValueError(f"shapes must be the {system.ngeom} geoms, not {shapes.count}")
        check("geoms", geoms, INT32, (self.npair, 2))
        check("law", law, INT32, (self.npair,))
        nlaw = len(dimension)
        check("dimension", dimension, INT32, (nlaw,))
        none = np.zeros(nlaw)
        thrown = none if restitution is None else restitution
        self.rebounds = bool(thrown.any())
        numbers = _law_numbers(
            nlaw,
            friction=(friction, 5),
            solref=(solref, 2),
            solref_friction=(solref_friction, 2),
            solimp=(solimp, 5),
            margin=(margin, 0),
            gap=(gap, 0),
            adhesion=(none if adhesion is None else adhesion, 0),
            restitution=(thrown, 0),
        )
        self._handle = _kernel.ContactWorld(
            system._handle, shapes._handle, geoms, law, dimension, numbers, bool(manifolds)
        )


def _law_numbers(nlaw: int, **parts: tuple[NDArray[np.float64], int]) -> NDArray[np.float64]:
    """The parts of laws side by side, each given with its width; 0: one number without an axis."""
    for name, (array, width) in parts.items():
        check(name, array, FLOAT64, (nlaw, width) if width else (nlaw,))
        if np.isnan(array).any():
            raise ValueError(f"{name} has a number that is NaN")
    return np.ascontiguousarray(np.column_stack([array for array, _ in parts.values()]))


class Contacts(NamedTuple):
    """Of n configurations, one after the other: by pair, then by feature. World frame."""

    start: NDArray[np.int64]
    """(n + 1,): the contacts of configuration i are rows start[i] up to start[i + 1]."""
    pair: NDArray[np.int32]
    """(m,) which of the pairs."""
    distance: NDArray[np.float64]
    """(m,) [m], negative where the geoms overlap."""
    position: NDArray[np.float64]
    """(m, 3) [m], halfway between the surfaces."""
    frame: NDArray[np.float64]
    """(m, 3, 3): rows are the normal, from the pair's first geom to its second, and two
    tangents."""
    capped: int
    """How often iterations ran out, and a distance is a bound."""


def contacts(world: ContactWorld, q: NDArray[np.float64]) -> Contacts:
    """All contacts in each of n configurations `q` (n, nq).

    Finite configurations never give NaN. The same `q` gives the same bits on every machine. Runs
    without the interpreter lock.

    Raises:
        ValueError: wrong type, shape or layout; a configuration that is not finite.
    """
    check("q", q, FLOAT64, (None, world.system.nq))
    if not np.isfinite(q).all():
        raise ValueError("q must be finite")
    start, pair, flat, capped = _kernel.contacts(world._handle, q)
    numbers = flat.reshape(len(pair), 13)
    frame = numbers[:, 4:].reshape(-1, 3, 3)
    return Contacts(start, pair, numbers[:, 0], numbers[:, 1:4], frame, capped)
