"""An actuator without any bound on its force.

What it checks
    In MJCF a servo has a forcerange, or its joint an actuatorfrcrange; a motor has one of these
    or a ctrlrange. One finding for all alike.

Why it matters
    Any number may be commanded, and any force comes out: no real motor does that. Learnt policies
    find out and use it, and a simulation explodes on the first wrong command.

Fix
    Write forcerange with what the motor can do, and ctrlrange (or inheritrange) for what it may
    be told.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.lint.servos import driven_joint
from phyzctl.robot.mechanism import Actuator, Gain, TransmissionKind
from phyzctl.robot.robot import Robot

CODE = Code("A712", "force-unbounded", Severity.INFO)
FORMATS = frozenset({"mjcf"})

_LAWS = (Gain.NONE, Gain.FIXED, Gain.AFFINE)


def check(context: Context) -> Iterator[Finding]:
    """Actuators that may pull with any force."""
    robot = context.robot
    limited = {tendon.name for tendon in robot.tendons if tendon.actuator_force_range}
    yield from fold(
        Finding(actuator, message)
        for actuator in robot.actuators
        if (message := _fault(robot, actuator, limited)) is not None
    )


def _fault(robot: Robot, actuator: Actuator, limited: set[str | None]) -> str | None:
    if actuator.gain not in _LAWS or actuator.bias not in _LAWS:
        return None  # muscles and the like have bounds of their own
    if actuator.force_range or _is_limited(robot, actuator, limited):
        return None
    if actuator.ctrl_range is None and not actuator.inherit_range:
        return "nothing bounds what it is told, nor the force that it exerts"
    if actuator.bias is Gain.AFFINE and any(actuator.bias_parameters[1:]):
        return "nothing bounds the force with which it goes to its target"
    return None


def _is_limited(robot: Robot, actuator: Actuator, tendons: set[str | None]) -> bool:
    joint = driven_joint(robot, actuator)
    if joint is not None:
        return joint.actuator_force_range is not None
    return actuator.transmission is TransmissionKind.TENDON and actuator.target in tendons
