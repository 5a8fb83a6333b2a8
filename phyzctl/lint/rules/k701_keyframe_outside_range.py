"""A keyframe that puts a joint past its range.

What it checks
    Every position in a keyframe's qpos lies in the range of its hinge or slide, but for 0.0001
    and 0.1 % of the range, which is rounding.

Why it matters
    The simulation starts with a limit violated: it pushes back at once, and the robot jumps.

Fix
    Write a position inside the range. A swapped order of the numbers is a common cause.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.robot.checks.keyframes import keyframe_outside_range

CODE = codes.KEYFRAME_OUTSIDE_RANGE
FORMATS = frozenset({"mjcf"})


def check(context: Context) -> Iterator[Finding]:
    """Positions outside of ranges."""
    yield from keyframe_outside_range(context.robot)
