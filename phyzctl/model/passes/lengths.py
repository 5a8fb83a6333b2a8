"""The lengths that muscles can have, found as MuJoCo does: pulled short, then drawn out.

A force that makes the same acceleration all the time, if nothing is in its way, acts through each
transmission, while speeds fade. Limits and equalities hold; there are no contacts, no friction, no
weight, springs, dampers or motors.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phyzctl import native
from phyzctl.model.actuator import Actuator
from phyzctl.model.constraints import constraint_arrays
from phyzctl.model.dynamics import dynamics_arrays
from phyzctl.model.joint import Bounds
from phyzctl.model.model import Model
from phyzctl.model.passes.values import bounds
from phyzctl.model.transmissions import refuse_floating_parts
from phyzctl.robot.mechanism import LengthSearch, TransmissionKind
from phyzctl.spatial import Array

_TINY = 1e-15
_SHORTEST_TIME = 0.01  # s, in which speeds may fade
_MOST_STEPS = 1_000_000
_STILL = (
    "gravity", "medium", "joint_stiffness", "damping", "tendon_stiffness", "tendon_damping",
    "body_gravcomp",
)  # fmt: skip
_INTEGRATORS = {"implicit": "implicitfast", "implicitfast": "implicitfast"}


def length_ranges(model: Model, wanted: Sequence[int]) -> dict[int, Bounds]:
    """Of the actuators `wanted`, by their numbers; those whose lengths don't settle are missing."""
    search = model.robot.settings.length_search or LengthSearch()
    if search.mode == "none":
        return {}
    known = {number: _limits(model, model.actuators[number]) for number in wanted}
    stated = {each: span for each, span in known.items() if search.use_limit and span is not None}
    left = [number for number in wanted if number not in stated]
    return stated | (_searched(model, left, search) if left else {})


def _limits(model: Model, actuator: Actuator) -> Bounds | None:
    """The limits of what an actuator pulls on; MuJoCo doesn't multiply them by the gear."""
    span = None
    if actuator.transmission is TransmissionKind.TENDON:
        span = bounds(model.tendons[actuator.target].element.range)
    elif actuator.transmission in (TransmissionKind.JOINT, TransmissionKind.JOINT_IN_PARENT):
        joint = model.joints[actuator.target]
        span = joint.range if joint.nv == 1 else None
    return span if span is not None and math.isfinite(span[0] + span[1]) else None


def _searched(model: Model, wanted: Sequence[int], search: LengthSearch) -> dict[int, Bounds]:
    if not 0.0 < search.timestep * _MOST_STEPS >= search.total:
        return {}
    try:
        least, most = _pulled(model, wanted, search)
    except np.linalg.LinAlgError:  # what has no mass can't be pulled
        return {}
    low, high = least[0], most[1]
    spread = np.maximum(most[0] - low, high - least[1])
    settled = (high > low) & (spread <= search.tolerance * (high - low))
    ranges = zip(wanted, low.tolist(), high.tolist(), strict=True)
    return {
        number: (first, last)
        for (number, first, last), good in zip(ranges, settled, strict=True)
        if good
    }


def _pulled(model: Model, wanted: Sequence[int], search: LengthSearch) -> tuple[Array, Array]:
    """The extremes of the last seconds (2, n), pulled and drawn out, from the reference position.

    Every actuator is in two states of its own.
    """
    run, count = _simulation(model, search), 2 * len(wanted)
    dynamics = run.constraints.dynamics
    own = (np.arange(count), np.tile(np.array(wanted, np.intp), 2))
    side = np.repeat([[-1.0], [1.0]], len(wanted), axis=0)
    active = np.array([each.element.active for each in model.equalities], np.bool_)
    acting = native.Acting(
        np.zeros((count, 1, dynamics.nctrl)),
        eq_active=np.tile(active, (count, 1)) if len(active) == run.constraints.neq else None,
    )
    states = native.States(
        np.tile(model.arrays.q_reference, (count, 1)),
        *(np.zeros((count, width)) for width in (dynamics.nv, dynamics.na, dynamics.nv)),
    )
    fading = math.exp(-search.timestep / max(_SHORTEST_TIME, search.time_constant))
    least, most, time = np.full(count, np.inf), np.full(count, -np.inf), 0.0
    while time < search.total:
        lengths, moments = native.transmissions(dynamics, states.q)
        force = side * _force(dynamics, states.q, moments[own], search)
        states = states._replace(v=fading * states.v)
        states = run.run(states, acting._replace(qfrc_applied=force), steps=1).last
        time += search.timestep
        if time > search.total - search.interval:
            least, most = np.minimum(least, lengths[own]), np.maximum(most, lengths[own])
    return least.reshape(2, -1), most.reshape(2, -1)


def _force(dynamics: native.Dynamics, q: Array, moments: Array, search: LengthSearch) -> Array:
    effects = np.linalg.solve(native.mass_matrix(dynamics, q), moments[..., np.newaxis])[..., 0]
    strength = search.acceleration / np.maximum(_TINY, np.linalg.norm(effects, axis=1))
    if search.max_force > 0.0:
        arms = np.maximum(_TINY, np.linalg.norm(moments, axis=1))
        strength = np.minimum(strength, search.max_force / arms)
    return np.ascontiguousarray(strength[:, np.newaxis] * moments)


def _simulation(model: Model, search: LengthSearch) -> native.Simulation:
    refuse_floating_parts(model)
    arrays: dict[str, Any] = dynamics_arrays(model)
    arrays |= {name: np.zeros_like(arrays[name]) for name in _STILL}
    dynamics = native.Dynamics(model.system, **arrays | {"actuated": False})
    held = constraint_arrays(model)
    held["dof_friction"] = np.zeros(dynamics.nv)
    held["tendon_friction"] = _without_force(held["tendon_friction"])
    stated = (model.robot.option.integrator or "").lower()
    return native.Simulation(
        native.Constraints(dynamics, **held),
        dt=search.timestep,
        integrator=_INTEGRATORS.get(stated, "euler"),
    )


def _without_force(frictions: NDArray[np.float64]) -> NDArray[np.float64]:
    rows = frictions.copy()
    rows[:, 0] = 0.0
    return rows
