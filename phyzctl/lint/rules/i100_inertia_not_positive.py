"""A tensor with a negative or zero principal moment.

What it checks
    Every stated tensor that isn't all zero has three principal moments above zero. What counts
    are the principal moments, not the diagonal: products of inertia can spoil a good diagonal.

Why it matters
    No solid body has such a tensor. MuJoCo refuses the file; elsewhere the part gains energy
    when it turns, and the simulation flies apart.

Fix
    Look for a product of inertia with one digit too many, or compute the tensor anew from the
    geometry.

Exceptions
    A warning where the link is welded to a heavier part, whose tensor decides the motion, and for
    a rod without thickness: one moment of zero beside two equal ones.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.robot.checks.inertia import inertia_not_positive

CODE = codes.INERTIA_NOT_POSITIVE


def check(context: Context) -> Iterator[Finding]:
    """Tensors that are not positive definite."""
    yield from inertia_not_positive(context.robot)
