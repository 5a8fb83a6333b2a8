"""How often, how deep and how near: pairs of bodies over many configurations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phyzctl import native
from phyzctl.exclude.pairs import BodyPair
from phyzctl.exclude.space import Space
from phyzctl.spatial import Array

_BLOCK = 16384  # configurations at a time, so that a million need no gigabyte
_TABLE = 4_000_000  # booleans at a time


@dataclass(frozen=True, eq=False)
class Sampled:
    """One number a pair of bodies. Rows of `*_q` are configurations, NaN where there is none."""

    hits: NDArray[np.int64]
    deepest: Array
    deepest_q: Array
    clearance: Array
    clearance_q: Array


class Sampler:
    """The pairs of a model, to be looked at in any configurations."""

    def __init__(
        self, space: Space, shapes: native.Shapes, pairs: Sequence[BodyPair], *, jobs: int = 1
    ) -> None:
        self._space = space
        self._system = space.model.system
        self._shapes = shapes
        self._jobs = jobs
        counts = [len(pair.geoms) for pair in pairs]
        self._start = np.cumsum([0, *counts])
        geoms = [each for pair in pairs for each in pair.geoms]
        self._geoms = np.array(geoms, dtype=np.int32).reshape(-1, 2)

    def distances(self, q: Array) -> Array:
        """(n, npair) signed distances [m] in the configurations q (n, nq)."""
        poses = native.kinematics(self._system, np.ascontiguousarray(q)).geoms
        found = native.distances(self._shapes, poses, self._geoms).distance
        combined: Array = np.minimum.reduceat(found, self._start[:-1], axis=1)
        return combined

    def depths(self, q: Array) -> Array:
        """(npair,) how deep each pair overlaps in the configuration q (nq,), NaN: apart."""
        poses = native.kinematics(self._system, np.ascontiguousarray(q[None])).geoms
        touching = native.overlaps(self._shapes, poses, self._geoms)
        found = native.distances(self._shapes, poses, self._geoms).distance
        depth = np.where(touching, np.maximum(0.0, -found), -np.inf)
        deepest = np.maximum.reduceat(depth[0], self._start[:-1])
        return np.where(deepest >= 0.0, deepest, np.nan)

    def sweep(self, points: range, *, seed: int = 0) -> Sampled:
        """What those points of the seed's sequence show, the same for any number of jobs."""
        found: Sampled | None = None
        for block in _blocks(points):
            part = self._look(self._space.points(block, seed=seed))
            found = part if found is None else _merged(found, part)
        if found is None:
            return self._look(np.empty((0, self._space.model.nq)))
        return found

    def _look(self, q: Array) -> Sampled:
        swept = native.sweep(
            self._system,
            self._shapes,
            q,
            self._geoms,
            depth=True,
            clearance=True,
            threads=self._jobs,
        )
        assert swept.deepest is not None
        assert swept.deepest_at is not None
        assert swept.clearance is not None
        assert swept.clearance_at is not None
        deepest = self._first_of(np.maximum, swept.deepest)
        nearest = self._first_of(np.minimum, swept.clearance)
        return Sampled(
            hits=self._hits(q, swept.hits),
            deepest=swept.deepest[deepest],
            deepest_q=_rows(q, swept.deepest_at[deepest]),
            clearance=swept.clearance[nearest],
            clearance_q=_rows(q, swept.clearance_at[nearest]),
        )

    def _hits(self, q: Array, hits: NDArray[np.int64]) -> NDArray[np.int64]:
        """In how many configurations any geoms of a pair of bodies overlap.

        Where one pair of geoms tells all, its count is it; only what is left is counted anew.
        """
        total: NDArray[np.int64] = np.maximum.reduceat(hits, self._start[:-1])
        several = np.add.reduceat((hits > 0).astype(np.int64), self._start[:-1]) > 1
        for number in np.flatnonzero(several & (total < len(q))):
            part = slice(self._start[number], self._start[number + 1])
            geoms = np.ascontiguousarray(self._geoms[part][hits[part] > 0])
            total[number] = self._count_any(q, geoms)
        return total

    def _count_any(self, q: Array, geoms: NDArray[np.int32]) -> int:
        step = max(1, _TABLE // (len(geoms) + 7 * self._shapes.count))
        count = 0
        for start in range(0, len(q), step):
            poses = native.kinematics(self._system, q[start : start + step]).geoms
            count += int(native.overlaps(self._shapes, poses, geoms).any(axis=1).sum())
        return count

    def _first_of(self, best: np.ufunc, values: Array) -> NDArray[np.int64]:
        """Per pair of bodies, the index of the pair of geoms with the best value."""
        chosen = np.repeat(best.reduceat(values, self._start[:-1]), np.diff(self._start))
        order = np.flatnonzero(values == chosen)
        owner = np.searchsorted(self._start, order, side="right") - 1
        _, first = np.unique(owner, return_index=True)
        chosen_geoms: NDArray[np.int64] = order[first]
        return chosen_geoms


def _blocks(points: range) -> Iterator[range]:
    for start in range(points.start, points.stop, _BLOCK):
        yield range(start, min(start + _BLOCK, points.stop))


def _rows(q: Array, indices: NDArray[np.int64]) -> Array:
    if len(q) == 0:
        return np.full((len(indices), q.shape[1]), np.nan)
    return np.where(indices[:, None] >= 0, q[indices], np.nan)


def _merged(first: Sampled, second: Sampled) -> Sampled:
    """Both together; where they are equal, the first witness stays."""
    deeper = second.deepest > first.deepest
    nearer = second.clearance < first.clearance
    return Sampled(
        hits=first.hits + second.hits,
        deepest=np.where(deeper, second.deepest, first.deepest),
        deepest_q=np.where(deeper[:, None], second.deepest_q, first.deepest_q),
        clearance=np.where(nearer, second.clearance, first.clearance),
        clearance_q=np.where(nearer[:, None], second.clearance_q, first.clearance_q),
    )
