"""A tensor that no distribution of mass can have.

What it checks
    The largest principal moment is not more than the sum of the other two, by 0.5 % or by one unit
    of the last digit that is written. Where moving one decimal point repairs the tensor, and only
    one way of doing so does, the message says which.

Why it matters
    Physics forbids it, so the numbers are wrong. MuJoCo refuses the file, Drake and sdformat
    warn or refuse, others simulate something that can't exist.

Fix
    Look for a lost decimal point or a missing zero, or compute the tensor anew from the geometry.

Exceptions
    A warning where the link is welded to a heavier part, and in MJCF with balanceinertia.
    Smaller violations are I105.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.lint.tensors import slip_fix
from phyzctl.robot.checks.inertia import inertia_triangle

CODE = codes.INERTIA_TRIANGLE


def check(context: Context) -> Iterator[Finding]:
    """Principal moments that break the triangle inequality."""
    for finding in inertia_triangle(context.robot):
        yield replace(finding, fix=slip_fix(context, finding.element))
