"""A reference pose outside the range, and no keyframe.

What it checks
    In MJCF without a keyframe that states qpos, the reference position of every hinge and slide
    (its ref, 0 by default) lies in its range.

Why it matters
    The simulation starts there: a limit is violated from the first step, and the robot jumps.

Fix
    Add a keyframe with a pose inside the ranges and start from it, or draw the robot in such a
    pose and state ref.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.robot.checks.keyframes import rest_outside_range

CODE = codes.REST_OUTSIDE_RANGE
FORMATS = frozenset({"mjcf"})


def check(context: Context) -> Iterator[Finding]:
    """Reference positions outside of ranges."""
    yield from fold(rest_outside_range(context.robot))
