"""How often, how deep and how near: pairs of bodies over many configurations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phyzctl import native
from phyzctl.distinct import distinct
from phyzctl.exclude.loops import Loops
from phyzctl.exclude.pairs import BodyPair
from phyzctl.exclude.space import Space
from phyzctl.records import dataclass
from phyzctl.spatial import Array

_BLOCK = 16384  # configurations at a time, so that a million need no gigabyte
_CLOSER = 1000  # configurations in which distances are asked for
_OFTEN = 0.1  # a share of hits from which on these are enough to find the depth


@dataclass(frozen=True, eq=False)
class Sampled:
    """One number a pair of bodies. Rows of `*_q` are configurations, NaN where there is none.

    `configurations` is how many were looked at: where loops can't be closed, fewer than asked for.
    """

    configurations: int
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
        self.loops = Loops(space)
        self._drawn: tuple[range, int, Array] | None = None
        self._system = space.model.system
        self._shapes = shapes
        self._jobs = jobs
        counts = [len(pair.geoms) for pair in pairs]
        self._start = np.cumsum([0, *counts])
        geoms = [each for pair in pairs for each in pair.geoms]
        self._geoms = np.array(geoms, dtype=np.int32).reshape(-1, 2)
        self._owner = np.repeat(np.arange(len(counts), dtype=np.int32), counts)

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
        """What those points of the seed's sequence show, the same for any number of jobs.

        All points tell whether pairs overlap. Distances cost ten times as much: depths are
        looked for where a pair overlaps, of one that often does among the first `_CLOSER`
        points only, and so are the clearances of pairs that never do.
        """
        hits, looked_at = np.zeros(len(self._start) - 1, dtype=np.int64), 0
        for block in _blocks(points):
            q = self.configurations(block, seed)
            looked_at += int(np.isfinite(q).all(axis=1).sum())
            found = self._native(q, self._geoms, groups=self._owner).hits
            hits += np.add.reduceat(found, self._start[:-1])
        closer = range(points.start, min(points.start + _CLOSER, points.stop))
        often = (hits > _OFTEN * looked_at)[self._owner]
        rarely = (hits > 0)[self._owner] & ~often
        best = _Best.of(len(self._geoms))
        best.deepen(self, closer, seed, often)
        for block in _blocks(points):
            best.deepen(self, block, seed, rarely)
        best.approach(self, closer, seed, (hits == 0)[self._owner])
        deepest, nearest = (
            self._first_of(np.maximum, best.depth),
            self._first_of(np.minimum, best.clearance),
        )
        return Sampled(
            looked_at,
            hits,
            best.depth[deepest],
            self._rows(best.depth_at[deepest], points, seed),
            best.clearance[nearest],
            self._rows(best.clearance_at[nearest], points, seed),
        )

    def configurations(self, points: range, seed: int) -> Array:
        """Those points of the sequence, as q (n, nq); NaN where loops can't be closed.

        The last block is kept: to draw it, and to close its loops, takes longer than to look at it.
        """
        if self._drawn is None or self._drawn[1] != seed or not _within(points, self._drawn[0]):
            self._drawn = points, seed, self._draw(points, seed)
        first = points.start - self._drawn[0].start
        return self._drawn[2][first : first + len(points)]

    def _draw(self, points: range, seed: int) -> Array:
        if not self.loops:
            return self._space.points(points, seed=seed)
        unit = native.halton(self._space.dimensions, points, seed=seed)
        return self.loops.close(self._space.draw(unit))

    def _rows(self, at: NDArray[np.int64], points: range, seed: int) -> Array:
        """The configurations of these points, NaN where there is none (-1)."""
        rows = np.full((len(at), self._space.model.nq), np.nan)
        for block in _blocks(points):
            here = (at >= block.start) & (at < block.stop)
            if here.any():
                rows[here] = self.configurations(block, seed)[at[here] - block.start]
        return rows

    def _native(self, q: Array, geoms: NDArray[np.int32], **asked: Any) -> native.Sweep:
        return native.sweep(self._system, self._shapes, q, geoms, threads=self._jobs, **asked)

    def of_geoms(self, q: Array, which: NDArray[np.bool_], **asked: bool) -> native.Sweep:
        """The kernel's sweep of some pairs of geoms."""
        return self._native(q, np.ascontiguousarray(self._geoms[which]), **asked)

    def _first_of(self, best: np.ufunc, values: Array) -> NDArray[np.int64]:
        """Per pair of bodies, the index of the pair of geoms with the best value."""
        chosen = best.reduceat(values, self._start[:-1])[self._owner]
        order = np.flatnonzero(values == chosen)
        _, first, _ = distinct(self._owner[order])
        chosen_geoms: NDArray[np.int64] = order[first]
        return chosen_geoms


def _within(inner: range, outer: range) -> bool:
    return outer.start <= inner.start and inner.stop <= outer.stop


def _blocks(points: range) -> Iterator[range]:
    for start in range(points.start, points.stop, _BLOCK):
        yield range(start, min(start + _BLOCK, points.stop))


@dataclass
class _Best:
    """Per pair of geoms, the deepest and the nearest so far, and at which point: -1 for none."""

    depth: Array
    depth_at: NDArray[np.int64]
    clearance: Array
    clearance_at: NDArray[np.int64]

    @classmethod
    def of(cls, count: int) -> _Best:
        nowhere = np.full(count, -1, dtype=np.int64)
        return cls(np.zeros(count), nowhere, np.full(count, np.inf), nowhere.copy())

    def deepen(self, sampler: Sampler, points: range, seed: int, which: NDArray[np.bool_]) -> None:
        """Look for deeper overlaps of some pairs; where they are equal, the first stays."""
        if not which.any() or not points:
            return
        found = sampler.of_geoms(sampler.configurations(points, seed), which, depth=True)
        assert found.deepest is not None
        assert found.deepest_at is not None
        at = np.flatnonzero(which)
        untouched = self.depth_at[at] < 0
        deeper = (found.deepest_at >= 0) & (untouched | (found.deepest > self.depth[at]))
        self.depth[at[deeper]] = found.deepest[deeper]
        self.depth_at[at[deeper]] = points.start + found.deepest_at[deeper]

    def approach(
        self, sampler: Sampler, points: range, seed: int, which: NDArray[np.bool_]
    ) -> None:
        """Look for the smallest clearance of some pairs."""
        if not which.any() or not points:
            return
        found = sampler.of_geoms(sampler.configurations(points, seed), which, clearance=True)
        assert found.clearance is not None
        assert found.clearance_at is not None
        at = np.flatnonzero(which)
        seen = found.clearance_at >= 0
        self.clearance[at[seen]] = found.clearance[seen]
        self.clearance_at[at[seen]] = points.start + found.clearance_at[seen]
