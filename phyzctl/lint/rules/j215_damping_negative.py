"""Damping or friction that is negative.

What it checks
    A joint's damping and dry friction are not below zero.

Why it matters
    They would push where they should brake and feed energy in until the simulation diverges.
    MuJoCo takes them without a word.

Fix
    Write the positive number, or 0.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.robot.checks.joints import damping_negative

CODE = codes.DAMPING_NEGATIVE


def check(context: Context) -> Iterator[Finding]:
    """Damping and friction below zero."""
    yield from damping_negative(context.robot)
