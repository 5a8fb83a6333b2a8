"""A joint that can't be at zero.

What it checks
    The limits of a revolute joint of a URDF enclose 0.

Why it matters
    Most viewers and simulators start with all joints at zero, outside of these limits; some
    refuse to. Many arms are right that way: an elbow may never be straight.

Fix
    None is needed. Start from a pose inside the limits.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.robot.checks.keyframes import zero_outside_limits

CODE = codes.ZERO_OUTSIDE_LIMITS
FORMATS = frozenset({"urdf"})


def check(context: Context) -> Iterator[Finding]:
    """Limits that don't enclose zero."""
    yield from fold(zero_outside_limits(context.robot))
