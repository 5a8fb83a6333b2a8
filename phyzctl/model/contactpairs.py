"""Which pairs of geoms can touch: all that bit masks and bodies allow, and those of the file.

Pairs stand by their bodies, explicit pairs of the file before others, then by their geoms. MuJoCo
reports contacts in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phyzctl.errors import PhyzctlError
from phyzctl.model.arrays import Indices
from phyzctl.model.body import WORLD
from phyzctl.model.compiled import CompiledModel
from phyzctl.model.filter import ContactFilter, weld_groups
from phyzctl.records import dataclass

Numbers = NDArray[np.int64]

MAX_PAIRS = 2_500_000  # MuJoCo's hundred humanoids have 1.8 million
_BITS = 0xFFFF_FFFF


@dataclass(frozen=True, eq=False)
class GeomPairs:
    """Pairs of geoms that may touch, whatever their shapes, in the order of contacts."""

    geoms: Indices
    """(n, 2) the geom of the lower body first."""
    stated: Indices
    """(n,) which of the robot's explicit pairs it is, -1: none."""


def geom_pairs(model: CompiledModel) -> GeomPairs:
    """The pairs that `model` allows.

    Raises PhyzctlError for more than MAX_PAIRS.
    """
    stated, which = _stated(model)
    free = _without(_allowed(model), stated, model.ngeom)
    geoms = np.concatenate([stated, free])
    number = np.concatenate([which, np.full(len(free), -1)])
    order = _order(model, geoms, number)
    return GeomPairs(geoms[order].astype(np.int32), number[order].astype(np.int32))


def by_type(model: CompiledModel, geoms: NDArray[Any]) -> NDArray[Any]:
    """In each pair the geom of the smaller type first, then that of the smaller index."""
    types = model.arrays.geom_type[geoms]
    swapped = (types[:, 0] > types[:, 1]) | (
        (types[:, 0] == types[:, 1]) & (geoms[:, 0] > geoms[:, 1])
    )
    return np.where(swapped[:, np.newaxis], geoms[:, ::-1], geoms)


def _stated(model: CompiledModel) -> tuple[Numbers, Numbers]:
    """The file's explicit pairs and their numbers; not those of which neither can move."""
    index = {geom.name: number for number, geom in enumerate(model.geoms) if geom.name}
    welds = weld_groups(model)
    geoms, which = [], []
    for number, pair in enumerate(model.robot.pairs):
        if pair.first not in index or pair.second not in index:
            continue
        both = sorted((index[pair.first], index[pair.second]), key=lambda i: model.geoms[i].body)
        bodies = [model.geoms[i].body for i in both]
        if any(body != WORLD and welds[body] != WORLD for body in bodies):
            geoms.append(both)
            which.append(number)
    return np.array(geoms, dtype=np.int64).reshape(-1, 2), np.array(which, dtype=np.int64)


def _allowed(model: CompiledModel) -> Numbers:
    """The pairs that no filter leaves out."""
    found, count = [np.empty((0, 2), dtype=np.int64)], 0
    for pairs in _allowed_by_geom(model):
        found.append(pairs)
        count += len(pairs)
        if count > MAX_PAIRS:
            raise PhyzctlError(
                f"{model.robot.name!r} has more than {MAX_PAIRS} pairs of geoms that may touch: "
                "excludes or bit masks (contype, conaffinity) must leave some out"
            )
    return np.concatenate(found)


def _allowed_by_geom(model: CompiledModel) -> Iterator[Numbers]:
    """The pairs of each geom with those of later bodies."""
    rules = ContactFilter.of(model)
    numbers = sorted(_touchable(model), key=lambda i: model.geoms[i].body)
    index = np.array(numbers, dtype=np.int64)
    body = np.array([model.geoms[i].body for i in numbers], dtype=np.int64)
    types, affinities = (
        np.array([mask & _BITS for mask in masks], dtype=np.uint32)
        for masks in (
            [model.geoms[i].contype for i in numbers],
            [model.geoms[i].conaffinity for i in numbers],
        )
    )
    end, partners = 0, index
    for place in range(len(index)):
        if place >= end:  # the first geom of the next body
            end = int(np.searchsorted(body, body[place], side="right"))
            free = rules.partners(int(body[place]))[body[end:] + 1]
            partners = end + np.flatnonzero(free)
        meets = types[place] & affinities[partners] | affinities[place] & types[partners]
        others = index[partners[meets != 0]]
        yield np.column_stack([np.full_like(others, index[place]), others])


def _touchable(model: CompiledModel) -> Iterator[int]:
    """The geoms whose masks meet those of any."""
    types = affinities = 0
    for geom in model.geoms:
        types, affinities = types | geom.contype, affinities | geom.conaffinity
    for number, geom in enumerate(model.geoms):
        if geom.contype & affinities or geom.conaffinity & types:
            yield number


def _without(pairs: Numbers, others: Numbers, count: int) -> Numbers:
    """`pairs` but those that are among the others, either way round."""
    if not len(others):
        return pairs
    codes, left_out = (
        np.min(each, axis=1) * count + np.max(each, axis=1) for each in (pairs, others)
    )
    return pairs[~np.isin(codes, left_out)]


def _order(model: CompiledModel, geoms: Numbers, stated: Numbers) -> Numbers:
    bodies = np.array([geom.body for geom in model.geoms], dtype=np.int64)[geoms] + 1
    typed = by_type(model, geoms)
    before = stated - len(model.robot.pairs)  # negative, in the order of the file
    rank = np.where(stated >= 0, before, typed[:, 0] * model.ngeom + typed[:, 1])
    return np.lexsort((rank, bodies[:, 0] * (len(model.bodies) + 1) + bodies[:, 1]))
