"""The door to the narrow phase: shapes, whether they overlap, how far they are apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from phyzctl.native import _kernel
from phyzctl.native.checks import FLOAT64, INT32, check

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from phyzctl.native import System


class HullArrays(NamedTuple):
    """A convex polytope; `geometry.hull` makes them."""

    vertices: NDArray[np.float64]
    """(n, 3) [m], at least one."""
    neighbour_start: NDArray[np.int32]
    """(n + 1,): vertex i has the neighbours `neighbours[start[i]:start[i + 1]]`."""
    neighbours: NDArray[np.int32]
    """Ends of edges. A hull without any is searched vertex by vertex."""


class HullMesh(NamedTuple):
    """A convex hull; see `quickhull`."""

    corners: NDArray[np.int32]
    """(n,): which of the points."""
    faces: NDArray[np.int32]
    """(m, 3): three of the corners each, counterclockwise as seen from outside."""


def quickhull(points: NDArray[np.float64]) -> HullMesh:
    """The convex hull of `points` (n, 3) [m].

    Points in one plane give faces on both sides, points on one line two corners, equal points
    one, these all without faces. Points within 1e-9 of the cloud's extent from the hull may be
    taken to lie on it; on the grid of that width every decision is exact. Runs without the
    interpreter lock.

    Raises:
        ValueError: wrong type, shape or layout; no points; a coordinate that is not finite.
    """
    check("points", points, FLOAT64, (None, 3))
    if len(points) == 0:
        raise ValueError("points must be at least one")
    if not np.isfinite(points).all():
        raise ValueError("points must be finite")
    return HullMesh(*_kernel.quickhull(points))


class Shapes:
    """Convex shapes that may meet: copied and checked once, never changed.

    Padding grows a shape by that much on all sides, rounding what was sharp.
    """

    __slots__ = ("_handle", "count")

    def __init__(
        self,
        types: NDArray[np.int32],
        sizes: NDArray[np.float64],
        *,
        hulls: Sequence[HullArrays] = (),
        hull: NDArray[np.int32] | None = None,
        padding: NDArray[np.float64] | None = None,
    ) -> None:
        """Copy `types` (n,), numbers of `model.GeomType`, and `sizes` (n, 3) [m].

        Sizes are a radius (sphere), radius and half length (capsule, cylinder), half extents
        (box) or semi-axes (ellipsoid). A plane is the half-space below z = 0. A mesh, 7, is
        `hulls[hull[i]]`, where `hull` (n,) is not looked at for other types. Height fields, 1,
        unknown shapes, 8, and meshes without a hull, -1, hold a place but can't be in a pair.
        `padding` (n,) [m].

        Raises:
            ValueError: wrong type, shape or layout; an index that points nowhere; a size or
                padding that is negative or not finite; a vertex that is not finite.
        """
        self.count = len(types)
        check("types", types, INT32, (None,))
        check("sizes", sizes, FLOAT64, (self.count, 3))
        hull = np.full(self.count, -1, dtype=np.int32) if hull is None else hull
        padding = np.zeros(self.count) if padding is None else padding
        check("hull", hull, INT32, (self.count,))
        check("padding", padding, FLOAT64, (self.count,))
        for number, each in enumerate(hulls):
            count = len(each.vertices)
            check(f"hulls[{number}].vertices", each.vertices, FLOAT64, (None, 3))
            check(f"hulls[{number}].neighbour_start", each.neighbour_start, INT32, (count + 1,))
            check(f"hulls[{number}].neighbours", each.neighbours, INT32, (None,))
        self._handle = _kernel.Shapes(types, sizes, padding, hull, *_joined(hulls))


def _joined(
    hulls: Sequence[HullArrays],
) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """All vertices, where each hull's start, where each vertex' neighbours start, neighbours."""
    vertices = np.concatenate([np.empty((0, 3)), *(each.vertices for each in hulls)])
    neighbours = np.concatenate([np.empty(0, np.int32), *(each.neighbours for each in hulls)])
    hull_start = np.cumsum([0, *(len(each.vertices) for each in hulls)], dtype=np.int32)
    shifts = np.cumsum([0, *(len(each.neighbours) for each in hulls)], dtype=np.int32)
    starts = [
        each.neighbour_start[:-1] + shift for each, shift in zip(hulls, shifts[:-1], strict=True)
    ]
    return vertices, hull_start, np.concatenate([*starts, shifts[-1:]]), neighbours


class Distances(NamedTuple):
    """Of m pairs in n placements, world frame. Always b = a + distance * normal."""

    distance: NDArray[np.float64]
    """(n, m) [m]. Below zero: how far they must move apart to only touch."""
    normal: NDArray[np.float64]
    """(n, m, 3), of length one, from the pair's first shape to its second."""
    a: NDArray[np.float64]
    """(n, m, 3) the first shape's point nearest to the second, or deepest in it [m]."""
    b: NDArray[np.float64]
    """(n, m, 3) likewise of the second."""
    capped: int
    """How often iterations ran out: the distance then is the best bound, a lower one of those
    apart, a depth that parts the others."""


def distances(shapes: Shapes, poses: NDArray[np.float64], pairs: NDArray[np.int32]) -> Distances:
    """Signed distances, normals and nearest points of `pairs` (m, 2).

    `poses` (n, nshape, 7) are n placements of all shapes, as `kinematics` gives them. Runs
    without the interpreter lock. Finite poses never give NaN.

    Raises:
        ValueError: wrong type, shape or layout; an index that points nowhere; a pair of
            half-spaces, or one with a shape that is unknown.
    """
    check("poses", poses, FLOAT64, (None, shapes.count, 7))
    check("pairs", pairs, INT32, (None, 2))
    size = (len(poses), len(pairs))
    distance, normal, a, b = np.empty(size), *(np.empty((*size, 3)) for _ in range(3))
    capped = _kernel.distances(shapes._handle, poses, pairs, distance, normal, a, b)
    return Distances(distance, normal, a, b, capped)


def overlaps(
    shapes: Shapes,
    poses: NDArray[np.float64],
    pairs: NDArray[np.int32],
    *,
    margin: float = 0.0,
) -> NDArray[np.bool_]:
    """(n, m): which `pairs` (m, 2) come within `margin` [m] of each other; see `distances`.

    Cheaper than `distances`. Shapes that touch count as overlapping.

    Raises:
        ValueError: as `distances`; a margin that is negative or not finite.
    """
    check("poses", poses, FLOAT64, (None, shapes.count, 7))
    check("pairs", pairs, INT32, (None, 2))
    if not 0.0 <= margin < np.inf:
        raise ValueError(f"margin must be finite and not negative, not {margin}")
    result = np.empty((len(poses), len(pairs)), dtype=np.bool_)
    _kernel.overlaps(shapes._handle, poses, pairs, float(margin), result)
    return result


class Sweep(NamedTuple):
    """Per pair (m,) what was met in n configurations; indices are into these, -1 for none."""

    hits: NDArray[np.int64]
    """In how many the pair overlaps."""
    first_hit: NDArray[np.int64]
    deepest: NDArray[np.float64] | None
    """Greatest depth [m], 0 for none; None when not asked for."""
    deepest_at: NDArray[np.int64] | None
    clearance: NDArray[np.float64] | None
    """Least distance where the pair is apart [m], infinite for none; None when not asked for."""
    clearance_at: NDArray[np.int64] | None


def sweep(
    system: System,
    shapes: Shapes,
    q: NDArray[np.float64],
    pairs: NDArray[np.int32],
    *,
    depth: bool = False,
    clearance: bool = False,
    groups: NDArray[np.int32] | None = None,
    threads: int = 1,
) -> Sweep:
    """Which `pairs` (m, 2) of geoms overlap in the configurations `q` (n, nq).

    `shapes` has one item for each geom of `system`. Depth and clearance cost extra. The result
    is the same for any number of `threads`. Pairs in a row with the same number in `groups` (m,)
    belong together: a pair is asked only where none of its group before it overlaps, so that
    their hits add up to how often the group overlaps. A configuration that is not finite meets
    nothing. Runs without the interpreter lock.

    Raises:
        ValueError: wrong type, shape or layout; an index that points nowhere; a pair of
            half-spaces, or one with a shape that is unknown; fewer than one thread; groups
            together with depth or clearance.
    """
    check("q", q, FLOAT64, (None, system.nq))
    check("pairs", pairs, INT32, (None, 2))
    if shapes.count != system.ngeom:
        raise ValueError(f"shapes must be the {system.ngeom} geoms, not {shapes.count}")
    if threads < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    if groups is not None:
        check("groups", groups, INT32, (len(pairs),))
        if depth or clearance:
            raise ValueError("groups tell overlap only, not depth or clearance")
    hits, first_hit, deepest_at, clearance_at = (
        np.empty(len(pairs), dtype=np.int64) for _ in range(4)
    )
    deepest = np.empty(len(pairs)) if depth else None
    nearest = np.empty(len(pairs)) if clearance else None
    facts = (hits, first_hit, deepest, deepest_at, nearest, clearance_at)
    _kernel.sweep(system._handle, shapes._handle, q, pairs, groups, threads, *facts)
    return Sweep(
        hits,
        first_hit,
        deepest,
        deepest_at if depth else None,
        nearest,
        clearance_at if clearance else None,
    )
