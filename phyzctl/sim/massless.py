"""Joints that move nothing: any force would accelerate them without bound."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from phyzctl import codes
from phyzctl.issues import Issue
from phyzctl.model.followers import followers, motion_basis
from phyzctl.robot.subject import describe
from phyzctl.sim.engine import Engine
from phyzctl.spatial import Array

_NOTHING = 1e-14  # of a joint's own inertia, once those behind it are free to give way


def massless_issues(engine: Engine) -> list[Issue]:
    """I103 for every joint that no inertia resists in the reference pose, with its name."""
    pivots = _pivots(_independent_mass(engine))
    return list(_issues(engine, pivots))


def _issues(engine: Engine, pivots: Array) -> Iterator[Issue]:
    model, code = engine.model, codes.GROUP_MASSLESS
    for index, joint in enumerate(model.joints):
        if joint.nv and not (pivots[model.v_slice(index)] > 0.0).all():
            body = model.bodies[joint.body].name
            message = (
                "moves nothing that has mass or inertia about it, "
                f"so link {body!r} can't be simulated"
            )
            element = joint.element or model.bodies[joint.body]
            yield Issue(code, code.severity, message, element.source, describe(joint.element))


def _independent_mass(engine: Engine) -> Array:
    """The mass matrix of all that follows nothing; what does, moves by what it follows."""
    model = engine.model
    M = engine.mass_matrix(model.arrays.q_reference)
    following = [model.v_offsets[each.joint] for each in followers(model)]
    if not following:
        return M
    G = motion_basis(model)
    moved: Array = G.T @ M @ G
    moved[following, following] = 1.0
    return moved


def _pivots(M: Array) -> Array:
    """What is left of each diagonal when the degrees of freedom behind it move freely.

    Zero where that is nothing but rounding.
    """
    rest, pivots = M.copy(), np.zeros(len(M))
    for i in range(len(M) - 1, -1, -1):
        if rest[i, i] > _NOTHING * M[i, i]:
            pivots[i] = rest[i, i]
            coupled = np.flatnonzero(rest[i, :i])  # those on the way to the root, at most
            row = rest[i, coupled] / math.sqrt(pivots[i])  # so that no product overflows
            rest[np.ix_(coupled, coupled)] -= np.outer(row, row)
    return pivots
