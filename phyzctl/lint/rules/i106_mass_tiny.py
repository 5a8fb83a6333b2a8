"""A moving part that is too light to be simulated.

What it checks
    A group of links that a joint moves has at least 0.1 g.

Why it matters
    sdformat drops links below a milligram, and contact or a stiff controller needs tiny steps
    to hold such a part. Most often the mass is a stand-in, or written in another unit.

Fix
    Write the real mass in kilograms, or weld the part with a fixed joint.

Exceptions
    Links welded to a heavier one are not looked at: a sensor may be light.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.robot.checks.masses import mass_tiny

CODE = codes.MASS_TINY


def check(context: Context) -> Iterator[Finding]:
    """Moving groups of next to no mass."""
    yield from fold(mass_tiny(context.robot))
