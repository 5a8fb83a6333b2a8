"""Ranges written in radians where degrees are read.

What it checks
    In an MJCF file whose compiler doesn't say angle="radian", most hinges with a range turn by
    more than 6.3 degrees, or reach further than that. One finding for the file.

Why it matters
    MJCF reads degrees by default, URDF and most tools speak of radians. A range of -1.5 to 1.5
    leaves a joint that can hardly move, and gains, friction and poses seem to be at fault.

Fix
    Write `<compiler angle="radian"/>`; all angles of the file are radians then, also euler and
    axisangle.

Exceptions
    A file of nothing but small ranges, such as flexures, can be meant: ignore the finding there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Related, Severity
from phyzctl.lint.compilers import radian_fix, reads_degrees
from phyzctl.lint.context import Context
from phyzctl.robot.elements import Joint, JointKind

CODE = Code("M010", "range-in-radians", Severity.ERROR)
FORMATS = frozenset({"mjcf"})

_TURN = 6.3  # a turn in radians, and as many degrees


def check(context: Context) -> Iterator[Finding]:
    """Small ranges on most hinges."""
    if context.document is None or not reads_degrees(context):
        return
    hinges = [joint for joint in context.robot.joints if _has_range(joint)]
    small = [joint for joint in hinges if _is_small(joint)]
    if len(small) * 2 <= len(hinges):
        return
    first, *others = small
    low, high = _degrees(first)
    more = f"; so do {len(others)} of the other {len(hinges) - 1} hinges" if others else ""
    message = f"the range {low:.4g} to {high:.4g} is read in degrees, and looks like radians{more}"
    related = tuple(Related(f"joint {joint.name!r} too", joint.source) for joint in others)
    yield Finding(first, message, "range", related=related, fix=radian_fix(context))


def _has_range(joint: Joint) -> bool:
    limit = joint.limit
    return joint.kind is JointKind.REVOLUTE and limit.lower is not None and limit.upper is not None


def _is_small(joint: Joint) -> bool:
    low, high = _degrees(joint)
    return max(abs(low), abs(high)) <= _TURN and high - low < _TURN


def _degrees(joint: Joint) -> tuple[float, float]:
    """The range as the file has it."""
    return math.degrees(joint.limit.lower or 0.0), math.degrees(joint.limit.upper or 0.0)
