"""Which bodies can touch at all: weld groups, neighbours, excludes, bit masks.

Under "phyzctl" rules neighbours in the tree never collide, seen through welds and through
helper bodies that have neither mass nor geoms. Under "mujoco" rules MuJoCo's own filter holds:
bit masks per pair of geoms, and no mercy for neighbours of what is welded to the world.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from phyzctl.model.arrays import Indices
from phyzctl.model.body import WORLD, Pair, ordered
from phyzctl.model.compiled import CompiledModel
from phyzctl.model.geom import Geom
from phyzctl.model.joint import JointType
from phyzctl.records import dataclass

Flags = NDArray[np.bool_]
_NOBODY = -2


def weld_groups(model: CompiledModel) -> list[int]:
    """Per body, the first body of those it is rigidly joined to; -1 when fixed to the world."""
    groups: list[int] = []
    for index, body in enumerate(model.bodies):
        welded = all(model.joints[joint].type is JointType.FIXED for joint in body.joints)
        if not welded or body.link.mocap:
            groups.append(index)
        else:
            groups.append(WORLD if body.parent == WORLD else groups[body.parent])
    return groups


@dataclass(frozen=True)
class ContactFilter:
    """The rules of one Model with its weld groups, asked pair by pair."""

    model: CompiledModel
    welds: Sequence[int]
    neighbours: dict[int, int | None] = field(default_factory=dict)

    @classmethod
    def of(cls, model: CompiledModel, welds: Sequence[int] | None = None) -> ContactFilter:
        """The filter of `model`, with weld groups computed elsewhere if given."""
        welds = weld_groups(model) if welds is None else welds
        through_helpers = model.contact_rules == "phyzctl"
        return cls(model, welds, _neighbours(model, welds, through_helpers=through_helpers))

    def group(self, body: int) -> int:
        """The weld group of a body; the world is in its own."""
        return WORLD if body == WORLD else self.welds[body]

    def bodies_may_collide(self, first: int, second: int) -> bool:
        """False for a pair that the rules filter, whatever its geoms. The order doesn't matter."""
        if self._adjacent(self.group(first), self.group(second)):
            return False
        return ordered(first, second) not in self.model.excluded_pairs

    def partners(self, body: int) -> Flags:
        """Per body, the world first, (nbody + 1,): `bodies_may_collide` with `body`."""
        groups, parents = self._groups
        mine = self.group(body)
        near: Flags = groups == mine
        if self.model.contact_rules == "phyzctl":
            near |= (parents == mine) | (groups == self._parent(mine))
        elif self.model.filters_parents and mine != WORLD:
            near |= ((parents == mine) | (groups == self._parent(mine))) & (groups != WORLD)
        for first, second in self._excludes.get(body, ()):
            near[(second if first == body else first) + 1] = True
        return ~near

    def _parent(self, group: int) -> int:
        parent = self.neighbours.get(group)
        return _NOBODY if parent is None else parent

    @cached_property
    def _groups(self) -> tuple[Indices, Indices]:
        """Per body, the world first, its weld group and the group that this one hangs on."""
        groups = [WORLD, *self.welds]
        return np.array(groups), np.array([self._parent(group) for group in groups])

    @cached_property
    def _excludes(self) -> dict[int, list[Pair]]:
        """The excluded pairs of each body."""
        found: dict[int, list[Pair]] = {}
        for pair in self.model.excluded_pairs:
            for body in set(pair):
                found.setdefault(body, []).append(pair)
        return found

    def are_neighbours(self, first: int, second: int) -> bool:
        """True for a pair that the rules filter for its place in the tree, excludes left aside."""
        return self._adjacent(self.group(first), self.group(second))

    def geoms_may_collide(self, first: Geom, second: Geom) -> bool:
        """True when two geoms can touch: by an explicit pair, or by bit masks and bodies."""
        if self.model.is_explicit_pair(first, second):
            return True
        if not masks_meet(first, second):
            return False
        return self.bodies_may_collide(first.body, second.body)

    def _adjacent(self, a: int, b: int) -> bool:
        if a == b:
            return True
        if self.model.contact_rules == "mujoco" and (
            WORLD in (a, b) or not self.model.filters_parents
        ):
            return False
        return self.neighbours.get(a) == b or self.neighbours.get(b) == a


def masks_meet(first: Geom, second: Geom) -> bool:
    """MJCF's test of contype against conaffinity, both ways."""
    return bool(first.contype & second.conaffinity or second.contype & first.conaffinity)


def _neighbours(
    model: CompiledModel, welds: Sequence[int], *, through_helpers: bool
) -> dict[int, int | None]:
    """Per weld group, the group it hangs on by a joint; None for one that floats freely."""
    bare = _helpers(model, welds) if through_helpers else set()
    parents: dict[int, int | None] = {}
    for index, body in enumerate(model.bodies):
        if welds[index] != index:
            continue
        parent: int | None = WORLD if body.parent == WORLD else welds[body.parent]
        if through_helpers and _floats(model, index):
            parent = None
        elif parent is not None and parent in bare:
            parent = parents[parent]
        parents[index] = parent
    return parents


def _floats(model: CompiledModel, body: int) -> bool:
    joints = model.bodies[body].joints
    return any(model.joints[joint].type is JointType.FREE for joint in joints)


def _helpers(model: CompiledModel, welds: Sequence[int]) -> set[int]:
    """The groups, other than the world's, that have neither mass nor geoms."""
    solid = {welds[i] for i, body in enumerate(model.bodies) if body.mass or body.geoms}
    return set(welds) - solid - {WORLD}
