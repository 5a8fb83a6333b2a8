"""A negative mass.

What it checks
    The mass of a link, and in MJCF the mass and density of a geom, is not below zero.

Why it matters
    No simulator accepts it: a body of negative mass moves against the force.

Fix
    Remove the minus sign. To leave a part without mass, leave out its inertial.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.robot.checks.masses import mass_negative

CODE = codes.MASS_NEGATIVE


def check(context: Context) -> Iterator[Finding]:
    """Masses and densities below zero."""
    yield from fold(mass_negative(context.robot))
