"""A contact parameter that no contact can have.

What it checks
    Friction and margin are not negative. The two numbers of solref are both positive or neither;
    the impedances and the midpoint of solimp lie in 0 to 1, its width is not negative and its
    power at least 1. That holds for geoms, pairs, equalities, joints and tendons.

Why it matters
    Negative friction pushes instead of holding. MuJoCo takes it, and replaces the other values
    by its own without a word.

Fix
    Correct the sign or the order of the numbers.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.robot.checks.contact import contact_parameter

CODE = codes.CONTACT_PARAMETER
FORMATS = frozenset({"mjcf"})


def check(context: Context) -> Iterator[Finding]:
    """Impossible friction, margin, solref and solimp."""
    yield from fold(contact_parameter(context.robot))
