"""What an SRDF adds to a Model: pairs a person excluded, held joints, named postures."""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.exclude.mjcf import is_own
from phyzctl.exclude.pairs import WORLD_NAME
from phyzctl.formats.srdf import Srdf
from phyzctl.formats.srdf.semantics import USER
from phyzctl.model.body import WORLD, Pair, ordered
from phyzctl.model.model import Model
from phyzctl.spatial import Array


def foreign_excludes(model: Model, srdf: Srdf | None = None) -> tuple[Pair, ...]:
    """The excludes that somebody else wrote, in the description or with a User's reason.

    Excludes of our own are left out: they are what is to be found anew.
    """
    robot = model.robot
    names = [(each.first, each.second) for each in robot.excludes if not is_own(each.name)]
    if srdf is not None:
        names += [(pair.first, pair.second) for pair in srdf.disabled if pair.reason == USER]
    return tuple(dict.fromkeys(pair for each in names if (pair := pair_of(model, *each))))


def pair_of(model: Model, first: str, second: str) -> Pair | None:
    """Two bodies by name; None unless they are two that are there."""
    a, b = _index(model, first), _index(model, second)
    return None if a is None or b is None or a == b else ordered(a, b)


def _index(model: Model, name: str) -> int | None:
    found = model.body_index(name)
    return WORLD if found is None and name == WORLD_NAME else found


def postures(model: Model, srdf: Srdf) -> Iterator[tuple[str, Array]]:
    """The group states as configurations (nq,): what they don't say is as in the reference."""
    for state in srdf.states:
        q = model.arrays.q_reference.copy()
        known = False
        for name, value in state.joints.items():
            index = model.joint_index(name)
            if index is not None and model.joints[index].nq == 1:
                q[model.q_slice(index)] = value
                known = True
        if known:
            yield f"{state.group} {state.name}", q
