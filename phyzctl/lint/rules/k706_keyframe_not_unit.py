"""A keyframe's quaternion that is not of length 1.

What it checks
    The four numbers of every free and ball joint in a keyframe's qpos, and of mquat, have length
    1 to within 0.001.

Why it matters
    MuJoCo normalises them in silence. Most often a number is missing before them, so that it is
    not the quaternion that stands there.

Fix
    Write w x y z of length 1, and see that the numbers before them are complete.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.robot.checks.keyframes import keyframe_not_unit

CODE = codes.KEYFRAME_NOT_UNIT
FORMATS = frozenset({"mjcf"})


def check(context: Context) -> Iterator[Finding]:
    """Quaternions that are too long or too short."""
    yield from keyframe_not_unit(context.robot)
