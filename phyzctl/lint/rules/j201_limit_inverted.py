"""A joint whose lower limit lies above its upper limit.

What it checks
    Revolute and prismatic joints (URDF), hinges and slides with a range (MJCF): the lower bound
    must not exceed the upper. A bound that URDF leaves out counts as 0.

Why it matters
    Consumers disagree about what such a joint does: MuJoCo takes it for unlimited, sdformat
    swaps the bounds, Drake ends the process.

Fix
    Write the smaller number as lower. The offered fix swaps the two; look whether a sign was
    lost instead.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.robot.checks.joints import limit_inverted

CODE = codes.LIMIT_INVERTED


def check(context: Context) -> Iterator[Finding]:
    """Bounds in the wrong order."""
    yield from limit_inverted(context.robot)
