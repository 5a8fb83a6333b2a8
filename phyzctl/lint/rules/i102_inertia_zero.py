"""A link that has mass and a tensor of zeros.

What it checks
    A link with more than 0.1 g states some inertia.

Why it matters
    A moving part without rotational inertia is turned infinitely fast by the smallest torque.
    MuJoCo refuses it, others divide by zero or put in a value of their own.

Fix
    Compute the tensor from the geometry, or take that of the same part on the other side.

Exceptions
    An info where the link is welded to a heavier part: a point mass there is a fair model.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.robot.checks.inertia import inertia_zero

CODE = codes.INERTIA_ZERO


def check(context: Context) -> Iterator[Finding]:
    """Tensors of zeros."""
    found = list(inertia_zero(context.robot))
    errors = [finding for finding in found if finding.severity is None]
    if len(errors) > 1:
        summary = "has mass, but all entries of its tensor are zero"
        found = [
            replace(finding, message=summary) if finding in errors else finding for finding in found
        ]
    yield from fold(found)
