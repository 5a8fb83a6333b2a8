"""A link that has mass and a tensor of zeros.

What it checks
    A link with more than 0.1 g states some inertia.

Why it matters
    A moving part without rotational inertia is turned infinitely fast by the smallest torque.
    MuJoCo refuses it, others divide by zero or put in a value of their own.

Fix
    Compute the tensor from the geometry, or take that of the same part on the other side.

Exceptions
    A warning where something with inertia hangs on it: that can be solved, though MuJoCo refuses
    it all the same. An info where the link is welded to a heavier part: a point mass there is a
    fair model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from phyzctl import codes
from phyzctl.issues import Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.robot.checks.inertia import inertia_zero

CODE = codes.INERTIA_ZERO

_MASS = re.compile(r"has \S+ kg")


def check(context: Context) -> Iterator[Finding]:
    """Tensors of zeros; several of one kind are one finding, whatever their masses."""
    found = list(inertia_zero(context.robot))
    for severity in (None, Severity.WARNING, Severity.INFO):
        alike = [finding for finding in found if finding.severity is severity]
        yield from fold(alike if len(alike) < 2 else map(_without_mass, alike))


def _without_mass(finding: Finding) -> Finding:
    return replace(finding, message=_MASS.sub("has mass", finding.message))
