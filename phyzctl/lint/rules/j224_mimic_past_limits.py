"""A mimic joint that is driven past its own limits.

What it checks
    Over the whole range of the leading joint, multiplier times position plus offset stays within
    the follower's limits, to 1 % of the range. Up to 5 % it is an info.

Why it matters
    The coupling and the limit contradict each other: a simulator stops the leading joint early
    or fights itself, a planner never reaches the states that the file promises.

Fix
    Widen the follower's limits, or correct the multiplier (often its sign) or the offset.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.robot.elements import Joint, JointKind
from phyzctl.robot.robot import Robot

CODE = Code("J224", "mimic-past-limits", Severity.WARNING)
FORMATS = frozenset({"urdf"})
TOLERANCES = {"mimic-excess": 0.01}  # of the range

_SLIGHT = 0.05  # of the range: measured linkages, not mistakes
_BOUNDED = (JointKind.REVOLUTE, JointKind.PRISMATIC)
Range = tuple[float, float]


def check(context: Context) -> Iterator[Finding]:
    """Followers whose limits end before their leader's do."""
    tolerance = context.tolerance("mimic-excess")
    for joint in context.robot.joints:
        own, driven = _bounds(joint), _driven(context.robot, joint)
        if own is None or driven is None:
            continue
        room = max(own[1] - own[0], driven[1] - driven[0])
        excess = max(own[0] - driven[0], driven[1] - own[1]) / room
        if excess > tolerance:
            message = (
                f"is driven from {driven[0]:.4g} to {driven[1]:.4g}, "
                f"its own limits are {own[0]:.4g} to {own[1]:.4g}"
            )
            severity = Severity.INFO if excess <= _SLIGHT else None
            yield Finding(joint, message, "mimic@multiplier", severity=severity)


def _driven(robot: Robot, joint: Joint) -> Range | None:
    """Where the leading joint's range takes a follower."""
    mimic = joint.mimic
    if mimic is None or not mimic.multiplier or mimic.offset is None:
        return None
    bounds = _bounds(robot.structure.joint(mimic.joint))
    if bounds is None:
        return None
    ends = sorted(mimic.multiplier * bound + mimic.offset for bound in bounds)
    return ends[0], ends[1]


def _bounds(joint: Joint) -> Range | None:
    """Limits that leave room to move, None for a joint without."""
    lower, upper = joint.limit.lower, joint.limit.upper
    if joint.kind not in _BOUNDED or lower is None or upper is None:
        return None
    if not (math.isfinite(lower) and math.isfinite(upper) and lower < upper):
        return None
    return lower, upper
