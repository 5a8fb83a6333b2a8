"""A time step that is zero or negative.

What it checks
    The timestep in `<option>` is above zero.

Why it matters
    Time does not advance; MuJoCo accepts zero, and the first division by it makes NaN.

Fix
    Write a time step in seconds: 0.002 is MJCF's default.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.robot.checks.settings import timestep_not_positive

CODE = codes.TIMESTEP_NOT_POSITIVE
FORMATS = frozenset({"mjcf"})


def check(context: Context) -> Iterator[Finding]:
    """A time step that is not positive."""
    yield from timestep_not_positive(context.robot)
