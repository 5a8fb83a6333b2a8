"""A tensor that rounding made impossible.

What it checks
    The largest principal moment exceeds the sum of the other two, but only by up to 0.5 %, or by
    one unit of the last digit that is written. In a thin plate they are equal, so that rounding
    tips the balance.

Why it matters
    The tensor is right but for its last digit. MuJoCo and sdformat compare strictly and refuse
    it.

Fix
    Write more digits. The offered fix raises the moments in their last digit until they fit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.lint.tensors import rounding_fix
from phyzctl.robot.checks.inertia import inertia_rounded

CODE = codes.INERTIA_ROUNDED


def check(context: Context) -> Iterator[Finding]:
    """Principal moments that break the triangle inequality by a hair."""
    for finding in inertia_rounded(context.robot):
        yield replace(finding, fix=rounding_fix(context, finding.element))
