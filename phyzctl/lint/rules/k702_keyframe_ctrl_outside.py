"""A keyframe that asks an actuator for more than it takes.

What it checks
    Every number in a keyframe's ctrl lies in the ctrlrange of its actuator, but for 0.0001 and
    0.1 % of the range, which is rounding.

Why it matters
    MuJoCo clamps it in silence, so the robot doesn't hold the pose that the keyframe shows.

Fix
    Write a control inside the range, or widen the range.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.robot.checks.keyframes import keyframe_ctrl_outside

CODE = codes.KEYFRAME_CTRL_OUTSIDE
FORMATS = frozenset({"mjcf"})


def check(context: Context) -> Iterator[Finding]:
    """Controls outside of ranges."""
    yield from keyframe_ctrl_outside(context.robot)
