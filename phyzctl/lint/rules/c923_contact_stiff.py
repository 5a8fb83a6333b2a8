"""A contact or constraint that is stiffer than the time step allows.

What it checks
    A positive time constant in solref is at least two time steps long.

Why it matters
    MuJoCo lengthens it to two steps in silence (unless refsafe is off), so the contact is softer
    than written, and changes when the time step does.

Fix
    Shorten the time step, or write a time constant of two steps or more.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.robot.checks.contact import contact_stiff

CODE = codes.CONTACT_STIFF
FORMATS = frozenset({"mjcf"})


def check(context: Context) -> Iterator[Finding]:
    """Time constants below two steps."""
    yield from fold(contact_stiff(context.robot))
