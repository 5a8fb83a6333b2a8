"""Joints: limits, axes, damping, mimic graphs."""

from __future__ import annotations

import math
from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.robot.elements import JointKind
from phyzctl.robot.robot import Robot

_EQUAL = 1e-9  # [rad or m] bounds closer than this are the same
_NO_LENGTH = 1e-9  # axes shorter than this point nowhere


def limit_inverted(robot: Robot) -> Iterator[Finding]:
    """J201: the lower bound lies above the upper."""
    for joint in robot.joints:
        if joint.kind not in (JointKind.REVOLUTE, JointKind.PRISMATIC):
            continue
        limit = joint.limit.resolved(joint.kind)
        if limit.lower is None or limit.upper is None:
            continue
        if limit.lower > limit.upper + _EQUAL:
            message = f"lower limit {limit.lower:g} is above upper limit {limit.upper:g}"
            yield Finding(joint, message, "limit@lower")


def axis_zero(robot: Robot) -> Iterator[Finding]:
    """J211: a movable joint whose axis has no direction."""
    for joint in robot.joints:
        if joint.kind.has_axis and joint.axis is not None and math.hypot(*joint.axis) <= _NO_LENGTH:
            yield Finding(joint, "the axis is zero, so the joint has no direction", "axis@xyz")


def damping_negative(robot: Robot) -> Iterator[Finding]:
    """J215: damping or dry friction that feeds energy in."""
    for joint in robot.joints:
        if joint.dynamics is None:
            continue
        for name in ("damping", "friction"):
            value = getattr(joint.dynamics, name)
            if value is not None and value < 0:
                message = f"{name} {value:g} is negative and would feed energy in"
                yield Finding(joint, message, f"dynamics@{name}")


def mimic_cycle(robot: Robot) -> Iterator[Finding]:
    """J221: joints that follow each other in a circle; one finding per circle."""
    leaders = {joint.name: joint.mimic.joint for joint in robot.joints if joint.mimic}
    seen: set[str] = set()
    for start in leaders:
        path: list[str] = []
        name = start
        while name in leaders and name not in seen:
            seen.add(name)
            path.append(name)
            name = leaders[name]
        if name in path:
            circle = path[path.index(name) :]
            joint = robot.structure.joint(circle[0])
            message = f"mimic goes round in a circle: {' -> '.join([*circle, circle[0]])}"
            yield Finding(joint, message, "mimic@joint")


CHECKS = (
    (codes.LIMIT_INVERTED, limit_inverted),
    (codes.AXIS_ZERO, axis_zero),
    (codes.DAMPING_NEGATIVE, damping_negative),
    (codes.MIMIC_CYCLE, mimic_cycle),
)
