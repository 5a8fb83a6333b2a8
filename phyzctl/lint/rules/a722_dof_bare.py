"""A joint without armature, damping or friction.

What it checks
    Every hinge and slide of an MJCF file that an actuator drives states some armature, damping or
    frictionloss. One finding for the file.

Why it matters
    No drive is without: its rotor's inertia, seen through the gear, is often larger than the
    arm's, and its friction larger still. What is tuned on the bare joint fails on the robot.

Fix
    State them, as measured or from the data sheet: armature is the rotor's inertia times the
    square of the gear ratio.

Exceptions
    Joints that nothing drives may well be bare.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.lint.servos import driven_joint
from phyzctl.robot.elements import Dynamics, Joint, JointKind

CODE = Code("A722", "dof-bare", Severity.INFO)
FORMATS = frozenset({"mjcf"})
DEFAULT = False

_LINEAR = (JointKind.REVOLUTE, JointKind.CONTINUOUS, JointKind.PRISMATIC)


def check(context: Context) -> Iterator[Finding]:
    """Driven joints with nothing of a drive."""
    robot = context.robot
    driven = {joint.name for a in robot.actuators if (joint := driven_joint(robot, a))}
    message = "is driven, and has no armature, damping or friction"
    yield from fold(
        Finding(joint, message)
        for joint in robot.joints
        if joint.name in driven and joint.kind in _LINEAR and _is_bare(joint)
    )


def _is_bare(joint: Joint) -> bool:
    own = joint.dynamics or Dynamics()
    stated = (own.armature, own.damping, own.friction, *own.damping_terms)
    return not any(stated) and own.spring_damper is None
