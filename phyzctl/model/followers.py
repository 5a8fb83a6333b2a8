"""Joints that follow others (mimic): on which lines they are, and what that leaves to move."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np

from phyzctl.errors import PhyzctlError
from phyzctl.issues import Finding
from phyzctl.model.compiled import CompiledModel
from phyzctl.records import dataclass
from phyzctl.spatial import Array

_APART = 1e-9  # what a state may miss of a line, by rounding where it was written


@dataclass(frozen=True)
class Follower:
    """The `joint` is at q = ratio · q_leader + offset [rad or m].

    The leader follows nothing itself: lines of lines are one. It is -1 where the joint stands
    still.
    """

    joint: int
    leader: int
    ratio: float
    offset: float


def followers(model: CompiledModel) -> tuple[Follower, ...]:
    """All joints that follow another one; not those that go round in a circle."""
    found = (_ultimate(model, number) for number in range(len(model.joints)))
    return tuple(follower for follower in found if follower is not None)


def _ultimate(model: CompiledModel, joint: int) -> Follower | None:
    """What a joint follows in the end; None when that is nothing, or itself."""
    ratio, offset, leader, seen = 1.0, 0.0, joint, {joint}
    while (mimic := model.joints[leader].mimic) is not None:
        leader = mimic.joint
        ratio, offset = ratio * mimic.multiplier, ratio * mimic.offset + offset
        if leader in seen:
            return None
        seen.add(leader)
        if model.joints[leader].nv != 1:  # a fixed joint is where it is: at zero
            return Follower(joint, -1, 0.0, offset)
    return Follower(joint, leader, ratio, offset) if leader != joint else None


def follower_arrays(model: CompiledModel) -> dict[str, Any]:
    """The arguments of `native.Dynamics` that say what follows."""
    every = followers(model)
    joints = [(each.joint, each.leader) for each in every]
    lines = [(each.offset, each.ratio) for each in every]
    return {
        "follower_joint": np.array(joints, dtype=np.int32).reshape(-1, 2),
        "follower_line": np.array(lines, dtype=np.float64).reshape(-1, 2),
    }


def unfollowed(model: CompiledModel) -> Iterator[Finding]:
    """Joints that follow each other in a circle."""
    following = {each.joint for each in followers(model)}
    for number, joint in enumerate(model.joints):
        if joint.mimic is not None and number not in following:
            yield Finding(joint.element, "what it follows follows it: it moves freely")


def place_followers(
    model: CompiledModel, q: Array, v: Array | None = None, *, but: Collection[str] = ()
) -> None:
    """Put followers where their leaders are, in place, `but` those of these names."""
    for each in followers(model):
        if model.joints[each.joint].name not in but:
            q[model.q_offsets[each.joint]] = _led(model, each, q)
            if v is not None:
                v[model.v_offsets[each.joint]] = _led_speed(model, each, v)


def check_followers(model: CompiledModel, every: Collection[Follower], q: Array, v: Array) -> None:
    """Refuse a state in which a joint is not where, or as fast as, what it follows has it be.

    Raises PhyzctlError.
    """
    for each in every:
        at, moving = model.q_offsets[each.joint], model.v_offsets[each.joint]
        _refuse(model, each, "be at", float(q[at]), _led(model, each, q))
        _refuse(model, each, "move at", float(v[moving]), _led_speed(model, each, v))


def _refuse(model: CompiledModel, follower: Follower, what: str, here: float, there: float) -> None:
    joint = model.joints[follower.joint]
    if joint.mimic is not None and not abs(here - there) <= _APART * (1.0 + abs(there)):
        name = model.joints[joint.mimic.joint].name
        raise PhyzctlError(
            f"the joint {joint.name!r} follows {name!r}: it must {what} {there:.10g}, "
            f"not {here:.10g}"
        )


def motion_basis(model: CompiledModel) -> Array:
    """G (nv, nv): v = G u, where u are the speeds of all that follows nothing, else zero."""
    G = np.eye(model.nv)
    for each in followers(model):
        dof = model.v_offsets[each.joint]
        G[dof, dof] = 0.0
        if each.leader >= 0:
            G[dof, model.v_offsets[each.leader]] = each.ratio
    return G


def _led(model: CompiledModel, follower: Follower, q: Array) -> float:
    leader = float(q[model.q_offsets[follower.leader]]) if follower.leader >= 0 else 0.0
    return follower.ratio * leader + follower.offset


def _led_speed(model: CompiledModel, follower: Follower, v: Array) -> float:
    leader = float(v[model.v_offsets[follower.leader]]) if follower.leader >= 0 else 0.0
    return follower.ratio * leader
