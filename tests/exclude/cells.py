"""Random cells of configurations: what one step of the search claims of each, and whether so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from phyzctl import native
from phyzctl.exclude.pairs import BodyPair, body_pairs
from phyzctl.exclude.prove import is_bounded, prepare
from phyzctl.exclude.shapes import outlines
from phyzctl.exclude.space import Space, space_of
from phyzctl.model.model import Model
from phyzctl.native import SearchStatus
from phyzctl.spatial import Array


@dataclass
class Tally:
    """How many cells were claimed, and by how much the worst claim was wrong [m]."""

    cells: int = 0
    claimed: int = 0
    worst: float = -np.inf

    def __add__(self, other: Tally) -> Tally:
        worst = max(self.worst, other.worst)
        return Tally(self.cells + other.cells, self.claimed + other.claimed, worst)


def tally(
    model: Model, cells: int, *, seed: int, always: bool = False, largest: bool = False
) -> Tally:
    """Try `cells` random cells of random pairs, 60 configurations in each that is claimed.

    With `largest` a cell is made as large as the search still claims it, so that a bound that is
    too small by a little claims what it should not; and three descents look for what 60
    configurations miss. `worst` is the deepest overlap in a cell claimed free, or the widest gap
    in one claimed covered: below zero when every claim holds.
    """
    random = np.random.default_rng(seed)
    space, shapes = space_of(model), outlines(model).shapes
    pairs = [pair for pair in body_pairs(model) if pair.joints and is_bounded(space, pair)]
    total = Tally()
    if not pairs:
        return total
    for _ in range(cells):
        trial = _Trial(space, shapes, pairs[random.integers(len(pairs))], always)
        total += trial.largest(random) if largest else trial.any(random)
    return total


@dataclass(frozen=True)
class _Trial:
    space: Space
    shapes: native.Shapes
    pair: BodyPair
    always: bool

    def any(self, random: np.random.Generator) -> Tally:
        """A cell of any size within the limits."""
        span = self.space.upper - self.space.lower
        size = 10.0 ** random.uniform(-2.5, 0.0)
        half = 0.5 * span * size * random.uniform(0.0, 1.0, len(span))
        room = random.uniform(0.0, 1.0, len(span)) * (span - 2.0 * half)
        cell = self._cell(self.space.lower + half + room, half)
        if not self._is_claimed(cell):
            return Tally(1)
        return self._judged(cell, _points(cell, random))

    def largest(self, random: np.random.Generator) -> Tally:
        """A cell that is only just claimed; it may reach beyond the limits."""
        span = self.space.upper - self.space.lower
        centre = self.space.lower + random.uniform(0.0, 1.0, len(span)) * span
        half = 0.5 * span * random.uniform(0.0, 1.0, len(span)) ** 2
        scale = _largest(lambda scale: self._is_claimed(self._cell(centre, scale * half)))
        if scale is None:
            return Tally(1)
        cell = self._cell(centre, scale * half)
        x = _points(cell, random)
        if not self.always:
            search = prepare(cell, self.shapes, self.pair).search
            x = np.concatenate([x, *(search.descend(each)[1][None] for each in (centre, *x[:2]))])
        return self._judged(cell, x)

    def _cell(self, centre: Array, half: Array) -> Space:
        low, high = centre - half, centre + half
        return replace(self.space, lower=low, upper=high)

    def _is_claimed(self, cell: Space) -> bool:
        """True when the search settles the whole cell at its first look."""
        search = prepare(cell, self.shapes, self.pair, always=self.always).search
        search.advance(1.0)
        state = search.advance(1.0)
        return state.status is SearchStatus.PROVED and state.cells == 1

    def _judged(self, cell: Space, x: Array) -> Tally:
        """By the kernel's kinematics, which the search doesn't use."""
        poses = native.kinematics(cell.model.system, cell.positions(x)).geoms
        geoms = np.array(self.pair.geoms, dtype=np.int32)
        nearest = native.distances(self.shapes, poses, geoms).distance.min(axis=1)
        return Tally(1, 1, float(nearest.max() if self.always else -nearest.min()))


def _largest(holds: Callable[[float], bool]) -> float | None:
    """The largest scale from 1e-3 to 1 for which a claim holds, by halving on a log scale."""
    low, high = -3.0, 0.0
    if not holds(10.0**low):
        return None
    if holds(1.0):
        return 1.0
    for _ in range(9):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if holds(10.0**middle) else (low, middle)
    return float(10.0**low)


def _points(cell: Space, random: np.random.Generator) -> Array:
    """30 points anywhere and 30 corners; rotation vectors are variables like others."""
    span = cell.upper - cell.lower
    inside = random.uniform(0.0, 1.0, (30, len(span)))
    corners = random.integers(0, 2, (30, len(span)))
    unit = np.concatenate([inside, corners])
    return cell.lower + unit * span
