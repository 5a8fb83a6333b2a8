"""Mimic joints that follow each other in a circle.

What it checks
    No joint mimics itself, directly or through others. One finding for each circle.

Why it matters
    No joint of the circle has a position of its own: consumers hang, add contradictory
    constraints, or drop them.

Fix
    Let one of the joints lead: remove its `<mimic>`.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.robot.checks.joints import mimic_cycle

CODE = codes.MIMIC_CYCLE


def check(context: Context) -> Iterator[Finding]:
    """Circles of followers."""
    yield from mimic_cycle(context.robot)
