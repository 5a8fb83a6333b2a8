"""Holding a pose: servos are told to stay, motors are driven by a computed torque.

A servo's command is that at which it pulls at nothing in the pose; it sags under a load as the
real one does. Motors, and the degrees of freedom of a robot that states no actuators, get

    τ = M (-ω² Δq - 2 ω v) + g

with M the inertia between the driven degrees of freedom and g the weight on them, both in the
pose, and ω = 2π · 5 rad/s, or less where the time step is too long for that.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from phyzctl import native
from phyzctl.model.actuator import Actuator
from phyzctl.model.followers import motion_basis
from phyzctl.model.model import Model
from phyzctl.model.state import State
from phyzctl.model.transmissions import transmissions
from phyzctl.robot.mechanism import TransmissionKind
from phyzctl.sim.control import Constant
from phyzctl.sim.engine import Engine
from phyzctl.spatial import Array

_OMEGA = 2.0 * math.pi * 5.0
_STEPS = 0.2  # ω dt at most


def hold(engine: Engine, state: State) -> Constant:
    """The control that holds the pose of `state`."""
    ctrl = _servo_commands(engine.model, state)
    driven = _driven(engine.model)
    return Constant(ctrl, "hold", _computed_torque(engine, state, ctrl, driven) if driven else None)


def _servo_commands(model: Model, state: State) -> Array:
    ctrl = np.zeros(model.nu() or model.nv)
    lengths, _ = transmissions(model, state.q)
    for number, (actuator, length) in enumerate(zip(model.actuators, lengths, strict=True)):
        if is_servo(actuator):
            pull = actuator.bias[0] + actuator.bias[1] * length
            ctrl[number] = -pull / (actuator.gain[0] + actuator.gain[1] * length)
    return ctrl


def is_servo(actuator: Actuator) -> bool:
    """True for an actuator that answers to a length or speed of its own."""
    return actuator.affine and bool(actuator.gain[0]) and any(actuator.bias[1:])


def _driven(model: Model) -> dict[int, tuple[int, float]]:
    """Per dof that is driven directly: the number of its control, and the force of one unit."""
    if not model.actuators:
        single = (i for i, joint in enumerate(model.joints) if joint.nv == 1)
        dofs = [int(model.v_offsets[i]) for i in single if model.joints[i].mimic is None]
        return {dof: (dof, 1.0) for dof in dofs}
    found: dict[int, tuple[int, float]] = {}
    for number, actuator in enumerate(model.actuators):
        on_joint = actuator.transmission in (
            TransmissionKind.JOINT,
            TransmissionKind.JOINT_IN_PARENT,
        )
        if not on_joint or not actuator.affine or any(actuator.bias[1:]) or actuator.na:
            continue
        force = actuator.gain[0] * actuator.gear[0]
        joint = model.joints[actuator.target]
        if force and joint.nv == 1 and joint.mimic is None:
            found.setdefault(int(model.v_offsets[actuator.target]), (number, force))
    return found


def _computed_torque(
    engine: Engine, state: State, base: Array, driven: Mapping[int, tuple[int, float]]
) -> native.Feedback:
    """The law at the head of this module; `base` are the controls of all other actuators."""
    model, dofs = engine.model, sorted(driven)
    columns = {int(v): int(q) for v, q in zip(model.v_offsets, model.q_offsets, strict=True)}
    still = {part: getattr(state, part)[np.newaxis] for part in engine.parts}
    still["v"] = np.zeros_like(still["v"])
    forces, G = engine.forces(still, base[np.newaxis]), motion_basis(model)
    units = np.array([driven[dof][1] for dof in dofs])
    positions = np.array([columns[dof] for dof in dofs], np.int32)
    omega = min(_OMEGA, _STEPS / engine.dt)
    return native.Feedback(
        positions=positions,
        velocities=np.array(dofs, np.int32),
        controls=np.array([driven[dof][0] for dof in dofs], np.int32),
        rest=state.q[positions],
        offsets=(G.T @ (forces.bias - forces.passive)[0])[dofs] / units,
        gains=(G.T @ engine.mass_matrix(state.q) @ G)[np.ix_(dofs, dofs)] / units[:, np.newaxis],
        stiffness=omega**2,
        damping=2.0 * omega,
    )
