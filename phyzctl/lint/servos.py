"""Servos of an MJCF file: actuators that drive a hinge or a slide to a position or a speed."""

from __future__ import annotations

import math
from collections.abc import Iterator

from phyzctl.records import dataclass
from phyzctl.robot.elements import Joint, JointKind
from phyzctl.robot.mechanism import Activation, Actuator, Gain, Range, TransmissionKind
from phyzctl.robot.robot import Robot

_ON_JOINTS = (TransmissionKind.JOINT, TransmissionKind.JOINT_IN_PARENT)
_DIRECT = (Activation.NONE, Activation.FILTER, Activation.FILTER_EXACT)
_LINEAR = (JointKind.REVOLUTE, JointKind.CONTINUOUS, JointKind.PRISMATIC)
_BOUNDED = (JointKind.REVOLUTE, JointKind.PRISMATIC)
_FEW_TURNS = 4.0 * math.pi  # [rad]
_MANY_TURNS = 720.0  # [rad] two turns, if it were degrees
_MULTIPLE = 1e-3  # [rad] how near a multiple of pi lies


@dataclass(frozen=True)
class Servo:
    """The law p = gain·u + bias0 - kp·l - kv·l̇ on l = gear·q of one joint."""

    actuator: Actuator
    joint: Joint
    gear: float
    gain: float
    bias: float
    kp: float
    kv: float

    @property
    def holds(self) -> str:
        """What it drives to: "position", or "velocity" where it has no stiffness."""
        return "position" if self.kp > 0.0 else "velocity"

    @property
    def targets(self) -> Range | None:
        """Between which positions [rad or m] its controls drive; None where nothing bounds them."""
        controls = self.actuator.ctrl_range
        if controls is None or not self.kp > 0.0:
            return None
        low, high = sorted(
            (self.gain * control + self.bias) / (self.kp * self.gear) for control in controls
        )
        return (low, high) if math.isfinite(high - low) else None


def servos(robot: Robot) -> Iterator[Servo]:
    """The actuators that pull on one hinge or slide with a bias of its position or speed.

    Integrators are left out, since what they drive to isn't their control.
    """
    for actuator in robot.actuators:
        if actuator.transmission not in _ON_JOINTS or actuator.dynamics not in _DIRECT:
            continue
        if actuator.gain is not Gain.FIXED or actuator.bias is not Gain.AFFINE:
            continue
        joint = driven_joint(robot, actuator)
        gear = actuator.gear[0] if actuator.gear else 0.0
        if joint is None or joint.kind not in _LINEAR or not gear:
            continue
        bias, position, speed = (*actuator.bias_parameters, 0.0, 0.0, 0.0)[:3]
        gain = actuator.gain_parameters[0] if actuator.gain_parameters else 0.0
        if position < 0.0 or speed < 0.0:
            yield Servo(actuator, joint, gear, gain, bias, -position, -speed)


def driven_joint(robot: Robot, actuator: Actuator) -> Joint | None:
    """The joint that an actuator pulls on; None where it pulls on something else."""
    if actuator.transmission not in _ON_JOINTS or not robot.structure.has_joint(actuator.target):
        return None
    return robot.structure.joint(actuator.target)


def range_of(joint: Joint) -> Range | None:
    """The range [rad or m] that holds for a joint, None where there is none or it is reversed."""
    lower, upper = joint.limit.lower, joint.limit.upper
    if joint.kind not in _BOUNDED or lower is None or upper is None:
        return None
    return (lower, upper) if lower < upper and math.isfinite(upper - lower) else None


def looks_like_degrees(servo: Servo) -> bool:
    """True for a hinge with stops whose servo may be told to turn many times, but not too many.

    Multiples of pi are full turns, which somebody has counted.
    """
    targets = servo.targets
    if targets is None or servo.joint.kind is not JointKind.REVOLUTE:
        return False
    farthest = max(targets, key=abs)
    whole = abs(math.remainder(farthest, math.pi)) < _MULTIPLE
    return _FEW_TURNS < abs(farthest) <= _MANY_TURNS and not whole
