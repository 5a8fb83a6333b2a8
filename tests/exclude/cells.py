"""Random cells of configurations: what one step of the search claims of each, and whether so."""

from __future__ import annotations

from dataclasses import dataclass

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


def tally(model: Model, cells: int, *, seed: int, always: bool = False) -> Tally:
    """Try `cells` random cells of random pairs, 60 configurations in each that is claimed.

    `worst` is the deepest overlap in a cell claimed free, or the widest gap in one claimed
    covered: below zero when every claim holds.
    """
    random = np.random.default_rng(seed)
    space, shapes = space_of(model), outlines(model).shapes
    pairs = [pair for pair in body_pairs(model) if pair.joints and is_bounded(space, pair)]
    total = Tally()
    if not pairs:
        return total
    for _ in range(cells):
        pair = pairs[random.integers(len(pairs))]
        total += _try(space, shapes, pair, random, always=always)
    return total


def _try(
    space: Space,
    shapes: native.Shapes,
    pair: BodyPair,
    random: np.random.Generator,
    *,
    always: bool,
) -> Tally:
    span = space.upper - space.lower
    half = 0.5 * span * 10.0 ** random.uniform(-2.5, 0.0) * random.uniform(0.0, 1.0, len(span))
    centre = space.lower + half + random.uniform(0.0, 1.0, len(span)) * (span - 2.0 * half)
    cell = Space(
        space.model, centre - half, centre + half, space.motions, space.open_ended, space.balls
    )
    search = prepare(cell, shapes, pair, always=always).search
    search.advance(1.0)
    state = search.advance(1.0)
    if state.status is not SearchStatus.PROVED or state.cells != 1:
        return Tally(1)
    distances = _distances(space, shapes, pair, _points(cell, random))
    wrong = distances.max() if always else -distances.min()
    return Tally(1, 1, float(wrong))


def _points(cell: Space, random: np.random.Generator) -> Array:
    """30 points anywhere and 30 corners; rotation vectors are variables like others."""
    span = cell.upper - cell.lower
    inside = random.uniform(0.0, 1.0, (30, len(span)))
    corners = random.integers(0, 2, (30, len(span)))
    unit = np.concatenate([inside, corners])
    return cell.lower + unit * span


def _distances(space: Space, shapes: native.Shapes, pair: BodyPair, x: Array) -> Array:
    """(n,) by the kernel's kinematics, which the search doesn't use."""
    poses = native.kinematics(space.model.system, space.positions(x)).geoms
    found = native.distances(shapes, poses, np.array(pair.geoms, dtype=np.int32)).distance
    nearest: Array = found.min(axis=1)
    return nearest
