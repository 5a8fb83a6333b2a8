"""An actuator that moves nothing, or away from its target.

What it checks
    The gear of an actuator is not all zero; `kp` and `kv` of servos are not negative.

Why it matters
    A gear of zeros makes no force. A servo of negative gain feeds energy in and runs away;
    MuJoCo takes both without a word.

Fix
    Write the ratio or the gain that was meant; turn the gear's sign to turn the direction.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.robot.checks.actuators import gain_sign

CODE = codes.GAIN_SIGN
FORMATS = frozenset({"mjcf"})


def check(context: Context) -> Iterator[Finding]:
    """Gears of zeros and gains below zero."""
    yield from gain_sign(context.robot)
