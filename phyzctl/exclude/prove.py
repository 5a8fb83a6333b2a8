"""Proofs that two bodies never touch, or never part; see `native/certify.hpp` for the bounds.

What is proved holds for the convex hulls of meshes, for joints within their limits, and for the
shapes themselves: MuJoCo reports a contact already within its margin. Loops are left open, so
that more configurations are covered than the robot has.

All searches take turns with slices of work that double, so that the easy ones are not kept
waiting and the hard ones get what is left. Work is counted, not timed: the outcome is the same
for any machine and any number of jobs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from phyzctl import native
from phyzctl.exclude.facts import Certificate, Outcome, Witness
from phyzctl.exclude.pairs import BodyPair
from phyzctl.exclude.space import HELD, Space
from phyzctl.native import SearchState, SearchStatus
from phyzctl.records import dataclass
from phyzctl.spatial import Array

FIRST_SLICE = 2e6


@dataclass(frozen=True, eq=False)
class Proof:
    """A search, and what it needs to say where it found something."""

    search: native.Search
    space: Space
    variables: tuple[int, ...]
    always: bool

    def witness(self, distance: float, x: Array) -> Witness:
        """The configuration of variables x (nx,): what the pair doesn't move is at reference."""
        q = self.space.model.arrays.q_reference
        full = self.space.variables(q)
        full[list(self.variables)] = x[list(self.variables)]
        return Witness(distance, tuple(self.space.positions(full[None])[0].tolist()))

    def certificate(self, state: SearchState) -> Certificate:
        """What the search has come to."""
        outcome = {
            SearchStatus.OPEN: Outcome.UNDECIDED,
            SearchStatus.PROVED: Outcome.ALWAYS if self.always else Outcome.NEVER,
            SearchStatus.REFUTED: Outcome.REFUTED,
            SearchStatus.GRAZES: Outcome.GRAZES,
        }[state.status]
        found = outcome in (Outcome.REFUTED, Outcome.GRAZES)
        witness = self.witness(state.distance, state.witness) if found else None
        return Certificate(outcome, state.proved, state.cells, witness)

    def refined(self, q: Array) -> Witness:
        """From the configuration q (nq,) downhill to a small distance."""
        distance, x = self.search.descend(self.space.variables(q))
        return self.witness(distance, x)


def prepare(space: Space, shapes: native.Shapes, pair: BodyPair, *, always: bool = False) -> Proof:
    """A search for the claim that `pair` never touches, or with `always` never parts."""
    variable, polynomial = space.table
    search = native.Search(
        space.model.system,
        shapes,
        bodies=np.array([pair.first, pair.second], dtype=np.int32),
        pairs=np.array(pair.geoms, dtype=np.int32),
        q=_held(space),
        lower=space.lower,
        upper=space.upper,
        variable=variable,
        polynomial=polynomial,
        always=always,
    )
    return Proof(search, space, _variables(space, pair), always)


def certify(proofs: Sequence[Proof], *, work: float, jobs: int = 1) -> list[Certificate]:
    """What each search comes to when all together may spend `work`."""
    from concurrent.futures import ThreadPoolExecutor

    states = [proof.search.state() for proof in proofs]
    pending = list(range(len(proofs)))
    part, spent = FIRST_SLICE, 0.0
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        while pending and spent < work:
            part = min(part, (work - spent) / len(pending))
            done = pool.map(lambda number: proofs[number].search.advance(part), pending)  # noqa: B023
            for number, state in zip(pending, done, strict=True):
                states[number] = state
            spent = sum(state.work for state in states)
            pending = [each for each in pending if states[each].status is SearchStatus.OPEN]
            part *= 2.0
    return [proof.certificate(state) for proof, state in zip(proofs, states, strict=True)]


def is_bounded(space: Space, pair: BodyPair) -> bool:
    """True when every joint between the two has bounds, so that there is a box to search."""
    return not space.open_ended.intersection(pair.joints)


def _variables(space: Space, pair: BodyPair) -> tuple[int, ...]:
    found: dict[int, None] = {}
    for joint in pair.joints:
        motion = space.motions.get(joint)
        if motion is not None and motion.variable != HELD:
            size = 1 if motion.polynomial else 3
            found.update(dict.fromkeys(range(motion.variable, motion.variable + size)))
    return tuple(found)


def _held(space: Space) -> Array:
    """A configuration in which everything that can't move is where it stays."""
    middle = 0.5 * (space.lower + space.upper)
    return np.ascontiguousarray(space.positions(middle[None])[0])
