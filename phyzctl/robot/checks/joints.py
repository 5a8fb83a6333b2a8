"""Joints: limits, axes, damping, mimic graphs."""

from __future__ import annotations

import math
from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding, Severity
from phyzctl.robot.elements import Joint, JointKind
from phyzctl.robot.robot import Robot

_EQUAL = 1e-9  # [rad or m] bounds closer than this are the same
_SOFT_OUTSIDE = 1e-6  # [rad or m] a soft limit this far out is rounding
_NO_LENGTH = 1e-9  # axes shorter than this point nowhere
_BOUNDED = (JointKind.REVOLUTE, JointKind.PRISMATIC)


def limit_missing(robot: Robot) -> Iterator[Finding]:
    """J200: a joint of bounded kind that states no bounds. MJCF means unlimited by that."""
    if robot.dialect == "mjcf":
        return
    for joint in robot.joints:
        written = joint.limit.source is not None or joint.limit.stated
        if joint.kind in _BOUNDED and not written:
            message = f"a {joint.kind.value} joint needs a limit"
            yield Finding(joint, message, "limit@")


def limit_inverted(robot: Robot) -> Iterator[Finding]:
    """J201: the lower bound lies above the upper."""
    for joint in robot.joints:
        if not _is_bounded(robot, joint):
            continue
        limit = joint.limit.resolved(joint.kind)
        if limit.lower is None or limit.upper is None:
            continue
        if limit.lower > limit.upper + _EQUAL:
            message = f"lower limit {limit.lower:g} is above upper limit {limit.upper:g}"
            yield Finding(joint, message, _place(robot, "limit@lower", "range"))


def soft_limit_outside(robot: Robot) -> Iterator[Finding]:
    """J208: a soft limit that lies outside the hard one; an error only where built in code."""
    severity = Severity.ERROR if robot.dialect is None else None
    for joint in robot.joints:
        safety, limit = joint.safety, joint.limit
        if safety is None or joint.kind not in _BOUNDED:
            continue
        for name, soft, hard, sign in (
            ("soft_lower_limit", safety.soft_lower_limit, limit.lower, 1),
            ("soft_upper_limit", safety.soft_upper_limit, limit.upper, -1),
        ):
            if soft is not None and hard is not None and sign * (hard - soft) > _SOFT_OUTSIDE:
                message = f"{name} {soft:g} lies outside the hard limit {hard:g}"
                yield Finding(joint, message, f"safety_controller@{name}", severity=severity)


def axis_zero(robot: Robot) -> Iterator[Finding]:
    """J211: a movable joint whose axis has no direction."""
    for joint in robot.joints:
        if joint.kind.has_axis and joint.axis is not None and math.hypot(*joint.axis) <= _NO_LENGTH:
            message = "the axis is zero, so the joint has no direction"
            yield Finding(joint, message, _place(robot, "axis@xyz", "axis"))


def damping_negative(robot: Robot) -> Iterator[Finding]:
    """J215: damping or dry friction that feeds energy in."""
    for joint in robot.joints:
        if joint.dynamics is None:
            continue
        for name, own in (("damping", "damping"), ("friction", "frictionloss")):
            value = getattr(joint.dynamics, name)
            if value is not None and value < 0:
                message = f"{name} {value:g} is negative and would feed energy in"
                yield Finding(joint, message, _place(robot, f"dynamics@{name}", own))


def _is_bounded(robot: Robot, joint: Joint) -> bool:
    """True where bounds mean something; an MJCF hinge with a range has them."""
    return joint.kind in _BOUNDED or (robot.dialect == "mjcf" and joint.kind.turns)


def _place(robot: Robot, urdf: str, mjcf: str) -> str:
    """Where a fault stands: URDF has child elements for what MJCF has attributes for."""
    return mjcf if robot.dialect == "mjcf" else urdf


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
    (codes.SOFT_LIMIT_OUTSIDE, soft_limit_outside),
    (codes.AXIS_ZERO, axis_zero),
    (codes.DAMPING_NEGATIVE, damping_negative),
    (codes.MIMIC_CYCLE, mimic_cycle),
)
