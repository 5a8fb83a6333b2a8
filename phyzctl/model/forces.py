"""What actuators do: MJCF's affine law, its clamps, and their order."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from phyzctl import native
from phyzctl.errors import PhyzctlError
from phyzctl.model.actuator import Actuator
from phyzctl.model.compiled import CompiledModel
from phyzctl.model.jacobians import Motion
from phyzctl.model.joint import JointType
from phyzctl.model.transmissions import transmissions
from phyzctl.robot.mechanism import Activation, TransmissionKind
from phyzctl.spatial import Array

Vector = Sequence[float] | Array


def forces_at_rest(model: CompiledModel, ctrl: Vector) -> Array:
    """The generalised forces (nv,) of `ctrl` where every length and velocity counts as zero."""
    return _clamped(model, _forces(model, ctrl, None, None, None))


def forces_at(
    model: CompiledModel, ctrl: Vector, q: Vector, v: Vector, act: Vector | None
) -> Array:
    """The generalised forces (nv,) of `ctrl` at positions `q` and velocities `v`."""
    positions, velocities = _vector("q", q, model.nq), _vector("v", v, model.nv)
    forces = _forces(model, ctrl, positions, velocities, act)
    asked = [joint.gravcomp for joint in model.joints]
    if any(asked):
        compensation = gravity_compensation(model, positions)
        for number, wanted in enumerate(asked):
            if wanted:
                forces[model.v_slice(number)] += compensation[model.v_slice(number)]
    return _clamped(model, forces)


def _forces(
    model: CompiledModel, ctrl: Vector, q: Array | None, v: Array | None, act: Vector | None
) -> Array:
    if not model.actuators:
        return _vector("ctrl", ctrl, model.nv)
    controls = _vector("ctrl", ctrl, model.nu())
    activations = _vector("act", np.zeros(model.na) if act is None else act, model.na)
    lengths, moments = transmissions(model, model.arrays.q_reference if q is None else q)
    if q is None:
        lengths[:] = 0.0
    speeds = np.zeros(len(lengths)) if v is None else moments @ v
    pulls = [
        _pull(actuator, _nearest(model, actuator, u, length), length, speed)
        for actuator, u, length, speed in zip(
            model.actuators,
            _inputs(model, controls, activations),
            lengths.tolist(),
            speeds.tolist(),
            strict=True,
        )
    ]
    _share_tendons(model, pulls)
    forces: Array = np.array(pulls) @ moments
    return forces


def _vector(name: str, values: Vector, length: int) -> Array:
    vector = np.array(values, dtype=np.float64)
    if vector.shape != (length,):
        raise PhyzctlError(f"{name} must have shape ({length},), not {vector.shape}")
    return vector


def _inputs(model: CompiledModel, ctrl: Array, act: Array) -> Iterator[float]:
    """What each law takes as u: the clamped control or, behind dynamics, the activation."""
    start = 0
    for actuator, control in zip(model.actuators, ctrl.tolist(), strict=True):
        if actuator.dynamics is Activation.NONE:
            yield _clamp(control, actuator.ctrl_range)
        else:
            start += actuator.na
            yield float(act[start - 1])


def _clamp(value: float, bounds: tuple[float, float]) -> float:
    """Into the bounds; NaN stays, and bounds the wrong way round change nothing."""
    low, high = bounds
    if low > high or math.isnan(value):
        return value
    return min(max(value, low), high)


def _pull(actuator: Actuator, u: float, length: float, velocity: float) -> float:
    """The scalar p, clamped."""
    if actuator.fault:
        return 0.0
    gain = actuator.gain[0] + actuator.gain[1] * length + actuator.gain[2] * velocity
    bias = actuator.bias[0] + actuator.bias[1] * length + actuator.bias[2] * velocity
    if not actuator.affine:
        active, passive = native.muscle_forces(
            actuator.muscle_gain.numbers, actuator.muscle_bias.numbers, length, velocity
        )
        gain, bias = gain + active, bias + passive
    return _clamp(gain * u + bias, actuator.force_range)


def _nearest(model: CompiledModel, actuator: Actuator, u: float, length: float) -> float:
    """The command of a servo that turns a ball, or a site against a site, the shorter way round."""
    written, gear = actuator.element, actuator.gear
    joint = actuator.transmission in (TransmissionKind.JOINT, TransmissionKind.JOINT_IN_PARENT)
    ball = joint and model.joints[actuator.target].type is JointType.BALL
    apart = actuator.transmission is TransmissionKind.SITE and written and written.reference_site
    if not (ball or (apart and not any(gear[:3]))) or not math.isfinite(u):
        return u
    period = 2.0 * math.pi * math.hypot(*(gear[:3] if ball else gear[3:]))
    servo = actuator.gain[0] == -actuator.bias[1] and not any(actuator.gain[1:])
    return u - period * round((u - length) / period) if servo and period else u


def _share_tendons(model: CompiledModel, pulls: list[float]) -> None:
    """Scale the pulls on a tendon so that their sum lies in what the tendon allows."""
    for number, tendon in enumerate(model.tendons):
        mine = [
            place
            for place, actuator in enumerate(model.actuators)
            if actuator.transmission is TransmissionKind.TENDON and actuator.target == number
        ]
        total = sum(pulls[place] for place in mine)
        allowed = _clamp(total, tendon.force_range)
        if total != allowed and total:
            for place in mine:
                pulls[place] *= allowed / total


def _clamped(model: CompiledModel, forces: Array) -> Array:
    """Each joint's total within what its motors can do."""
    for number, joint in enumerate(model.joints):
        low, high = joint.force_range
        if low > -np.inf or high < np.inf:
            for place in range(*model.v_slice(number).indices(model.nv)):
                forces[place] = _clamp(float(forces[place]), joint.force_range)
    return forces


def gravity_compensation(model: CompiledModel, q: Array) -> Array:
    """The generalised forces (nv,) that carry each body's `gravcomp` share of its weight."""
    forces, motion = np.zeros(model.nv), Motion(model, q)
    for number, body in enumerate(model.bodies):
        share = body.link.gravcomp
        if share and body.mass:
            linear, _ = motion.jacobians(number, motion.com(number))
            forces += linear.T @ (-share * body.mass * model.gravity)
    return forces
