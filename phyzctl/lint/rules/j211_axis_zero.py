"""A movable joint whose axis is zero.

What it checks
    The axis of a revolute, continuous, prismatic or planar joint is longer than 1e-9. What a
    fixed joint writes as its axis means nothing and is not looked at.

Why it matters
    The joint has no direction to move in: MuJoCo and Drake refuse the file, others divide by
    zero and fill the pose with NaN.

Fix
    Write the axis of motion, in the joint's own frame: `<axis xyz="0 0 1"/>` turns about z.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.robot.checks.joints import axis_zero

CODE = codes.AXIS_ZERO


def check(context: Context) -> Iterator[Finding]:
    """Axes without direction."""
    yield from axis_zero(context.robot)
