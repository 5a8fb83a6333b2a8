"""What gravity asks of joints, and what their motors can give. Brings numpy and the kernel."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from phyzctl.lint.coupling import coupled_joints
from phyzctl.model.actuator import Actuator
from phyzctl.model.jacobians import Motion
from phyzctl.model.joint import INFINITY, Joint, JointType
from phyzctl.model.model import Model
from phyzctl.records import dataclass
from phyzctl.robot import elements
from phyzctl.robot.mechanism import TransmissionKind
from phyzctl.spatial import Array

_ON_JOINTS = (TransmissionKind.JOINT, TransmissionKind.JOINT_IN_PARENT)
_LINEAR = (JointType.HINGE, JointType.SLIDE)


@dataclass(frozen=True)
class Load:
    """What gravity asks of a joint [N m or N] in the worst pose, and what its motors can give."""

    joint: elements.Joint
    torque: float
    strength: float
    pose: str


def loads(model: Model) -> Iterator[Load]:
    """The joints that motors of bounded force hold against gravity, in order."""
    with np.errstate(all="ignore"):
        torques = [(pose, np.abs(gravity_torques(model, q))) for pose, q in _poses(model)]
    motors: dict[int, list[Actuator]] = {}
    for actuator in model.actuators:
        if actuator.transmission in _ON_JOINTS:
            motors.setdefault(actuator.target, []).append(actuator)
    aside = coupled_joints(model.robot) | _in_tendons(model)
    for number, joint in enumerate(model.joints):
        if joint.type not in _LINEAR or joint.element is None or joint.name in aside:
            continue
        strength = _strength(model, motors.get(number, ()), joint)
        if joint.mimic is not None or joint.stiffness > 0.0 or not 0.0 < strength < INFINITY:
            continue
        here = model.v_slice(number)
        pose, torque = max(
            ((pose, float(each[here][0])) for pose, each in torques), key=lambda found: found[1]
        )
        if math.isfinite(torque):
            yield Load(joint.element, torque, strength, pose)


def gravity_torques(model: Model, q: Array) -> Array:
    """(nv,) the generalised forces [N m or N] that hold the Model still at `q` (nq,)."""
    weighed = [max(body.mass, 0.0) * (1.0 - (body.link.gravcomp or 0.0)) for body in model.bodies]
    return -Motion(model, q).powers(np.array(weighed), np.asarray(model.gravity))


def _poses(model: Model) -> list[tuple[str, Array]]:
    """The keyframes; where there are none, the reference pose with all joints in their ranges."""
    if model.keyframes:
        return [
            (f"in keyframe {key.name or number!r}", key.state.q)
            for number, key in enumerate(model.keyframes)
        ]
    q = model.default_state().q
    for number, joint in enumerate(model.joints):
        if joint.type in _LINEAR and joint.range[0] <= joint.range[1]:
            q[model.q_slice(number)] = np.clip(q[model.q_slice(number)], *joint.range)
    return [("in the reference pose", q)]


def _in_tendons(model: Model) -> frozenset[str]:
    return frozenset(
        model.joints[joint].name for tendon in model.tendons for joint, _ in tendon.terms
    )


def _strength(model: Model, motors: Sequence[Actuator], joint: Joint) -> float:
    """The largest torque or force of a joint's motors; infinite without, or without bounds."""
    limit = joint.element.limit.effort if joint.element else None
    if model.robot.dialect != "mjcf":
        return INFINITY if limit is None else limit
    if not motors:
        return INFINITY
    own = max(map(abs, joint.force_range))
    return min(own, sum(abs(motor.gear[0]) * _force(motor) for motor in motors))


def _force(motor: Actuator) -> float:
    bound = max(map(abs, motor.force_range))
    if not motor.affine or any(motor.bias) or any(motor.gain[1:]):
        return bound
    command = max(map(abs, motor.ctrl_range))
    return min(bound, abs(motor.gain[0]) * command) if motor.gain[0] else 0.0
