"""What actuators do: MJCF's affine law, its clamps, and their order."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from phyzctl.errors import PhyzctlError
from phyzctl.model.actuator import Actuator
from phyzctl.model.body import WORLD
from phyzctl.model.jacobians import Motion
from phyzctl.model.joint import JointType
from phyzctl.robot.mechanism import Activation, TransmissionKind
from phyzctl.spatial import Array, rotation_from_quat

if TYPE_CHECKING:
    from phyzctl.model.model import Model

Vector = Sequence[float] | Array
Row = list[tuple[slice, Array]]
"""A row of a Jacobian: pieces of v and their derivatives."""


def forces_at_rest(model: Model, ctrl: Vector) -> Array:
    """The generalised forces (nv,) of `ctrl` where every length and velocity counts as zero."""
    return _clamped(model, _forces(model, ctrl, None, None, None))


def forces_at(model: Model, ctrl: Vector, q: Vector, v: Vector, act: Vector | None) -> Array:
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
    model: Model, ctrl: Vector, q: Array | None, v: Array | None, act: Vector | None
) -> Array:
    if not model.actuators:
        return _vector("ctrl", ctrl, model.nv)
    controls = _vector("ctrl", ctrl, model.nu())
    activations = _vector("act", np.zeros(model.na) if act is None else act, model.na)
    rows = [transmission(model, actuator, q) for actuator in model.actuators]
    inputs = _inputs(model, controls, activations)
    pulls = [
        _pull(actuator, u, length, 0.0 if v is None else _product(row, v))
        for actuator, u, (length, row) in zip(model.actuators, inputs, rows, strict=True)
    ]
    _share_tendons(model, pulls)
    forces = np.zeros(model.nv)
    for pull, (_, row) in zip(pulls, rows, strict=True):
        for place, derivative in row:
            forces[place] += derivative * pull
    return forces


def _vector(name: str, values: Vector, length: int) -> Array:
    vector = np.array(values, dtype=np.float64)
    if vector.shape != (length,):
        raise PhyzctlError(f"{name} must have shape ({length},), not {vector.shape}")
    return vector


def _inputs(model: Model, ctrl: Array, act: Array) -> Iterator[float]:
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
    if not actuator.computed:
        return 0.0
    gain = actuator.gain[0] + actuator.gain[1] * length + actuator.gain[2] * velocity
    bias = actuator.bias[0] + actuator.bias[1] * length + actuator.bias[2] * velocity
    return _clamp(gain * u + bias, actuator.force_range)


def _share_tendons(model: Model, pulls: list[float]) -> None:
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


def _product(row: Row, v: Array) -> float:
    return float(sum(derivative @ v[place] for place, derivative in row))


def transmission(model: Model, actuator: Actuator, q: Array | None) -> tuple[float, Row]:
    """The length l and its derivative by v; zero length where no `q` is given."""
    gear = np.array(actuator.gear)
    if actuator.transmission is TransmissionKind.TENDON:
        return _fixed_tendon(model, actuator, q)
    if actuator.transmission is TransmissionKind.SITE:
        return 0.0, _site_row(model, actuator, model.arrays.q_reference if q is None else q)
    if actuator.transmission not in (TransmissionKind.JOINT, TransmissionKind.JOINT_IN_PARENT):
        return 0.0, []
    joint, place = model.joints[actuator.target], model.v_slice(actuator.target)
    coordinates = None if q is None else q[model.q_slice(actuator.target)]
    in_parent = actuator.transmission is TransmissionKind.JOINT_IN_PARENT
    if joint.type in (JointType.HINGE, JointType.SLIDE):
        length = 0.0 if coordinates is None else float(gear[0] * coordinates[0])
        return length, [(place, gear[:1])]
    if joint.type is JointType.BALL:
        length = 0.0 if coordinates is None else float(gear[:3] @ rotation_vector(coordinates))
        if in_parent and coordinates is not None:
            return length, [(place, rotation_from_quat(coordinates).T @ gear[:3])]
        return length, [(place, gear[:3])]
    if joint.type is JointType.FREE:
        if in_parent and coordinates is not None:
            gear[3:] = rotation_from_quat(coordinates[3:]).T @ gear[3:]
        return 0.0, [(place, gear)]
    return 0.0, []


def _fixed_tendon(model: Model, actuator: Actuator, q: Array | None) -> tuple[float, Row]:
    gear, length, row = actuator.gear[0], 0.0, []
    for joint, coefficient in model.tendons[actuator.target].terms:
        if model.joints[joint].nv == 1:
            row.append((model.v_slice(joint), np.array([gear * coefficient])))
            length += 0.0 if q is None else gear * coefficient * float(q[model.q_offsets[joint]])
    return length, row


def _site_row(model: Model, actuator: Actuator, q: Array) -> Row:
    """A force and a torque in the frame of a site; nothing against a refsite, or on the world."""
    site = model.sites[actuator.target]
    written = actuator.element
    if site.body == WORLD or (written is not None and written.reference_site is not None):
        return []
    motion, gear = Motion(model, q), np.array(actuator.gear)
    X_WS = motion.X_WB[site.body] @ site.X_BS
    linear, angular = motion.jacobians(site.body, X_WS[:3, 3])
    row = (X_WS[:3, :3] @ gear[:3]) @ linear + (X_WS[:3, :3] @ gear[3:]) @ angular
    return [(slice(0, model.nv), row)]


def rotation_vector(quat: Array) -> Array:
    """Axis times angle in (-pi, pi] of a quaternion w x y z of any length (3,)."""
    w, vector = float(quat[0]), quat[1:]
    sine = float(np.linalg.norm(vector))
    if sine == 0.0:
        return np.zeros(3)
    angle = 2.0 * np.arctan2(sine, w)
    if angle > np.pi:
        angle -= 2.0 * np.pi
    rotation: Array = angle / sine * vector
    return rotation


def _clamped(model: Model, forces: Array) -> Array:
    """Each joint's total within what its motors can do."""
    for number, joint in enumerate(model.joints):
        low, high = joint.force_range
        if low > -np.inf or high < np.inf:
            for place in range(*model.v_slice(number).indices(model.nv)):
                forces[place] = _clamp(float(forces[place]), joint.force_range)
    return forces


def gravity_compensation(model: Model, q: Array) -> Array:
    """The generalised forces (nv,) that carry each body's `gravcomp` share of its weight."""
    forces, motion = np.zeros(model.nv), Motion(model, q)
    for number, body in enumerate(model.bodies):
        share = body.link.gravcomp
        if share and body.mass:
            linear, _ = motion.jacobians(number, motion.com(number))
            forces += linear.T @ (-share * body.mass * model.gravity)
    return forces
