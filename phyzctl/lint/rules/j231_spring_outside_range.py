"""A spring that rests where its joint can't be.

What it checks
    The springref of an MJCF joint with stiffness lies in the joint's range.

Why it matters
    The spring presses the joint against its stop wherever it is. That is often wanted, in a
    gripper that closes by itself; often springref was left at 0 by oversight.

Fix
    Write a springref inside the range, unless a preload is meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.lint.servos import range_of
from phyzctl.robot.elements import Joint

CODE = Code("J231", "spring-outside-range", Severity.INFO)
FORMATS = frozenset({"mjcf"})

_SLACK = 1e-6  # of the range: rounding


def check(context: Context) -> Iterator[Finding]:
    """Springs that never relax."""
    yield from fold(
        finding for joint in context.robot.joints if (finding := _finding(joint)) is not None
    )


def _finding(joint: Joint) -> Finding | None:
    spring, bounds = joint.dynamics, range_of(joint)
    if spring is None or bounds is None or not (spring.stiffness or 0.0) > 0.0:
        return None
    rest = spring.springref or 0.0
    slack = _SLACK * (bounds[1] - bounds[0])
    if bounds[0] - slack <= rest <= bounds[1] + slack:
        return None
    stated = "springref" if spring.springref is not None else "stiffness"
    message = f"the spring rests at {rest:g}, outside the range {bounds[0]:g} to {bounds[1]:g}"
    return Finding(joint, message, stated)
