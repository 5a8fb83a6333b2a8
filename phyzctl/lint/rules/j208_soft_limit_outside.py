"""A safety controller that can't do its work.

What it checks
    The soft limits of a `<safety_controller>` lie within the joint's hard limits, and its
    `k_velocity` is not 0.

Why it matters
    Soft limits slow a joint down before it hits the hard ones. Outside of them they never act;
    with a `k_velocity` of 0 they have no effect either.

Fix
    Move the soft limits inside the hard ones, give `k_velocity` its gain, or remove the element.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.robot.checks.joints import soft_limit_outside

CODE = codes.SOFT_LIMIT_OUTSIDE
FORMATS = frozenset({"urdf"})


def check(context: Context) -> Iterator[Finding]:
    """Soft limits outside the hard ones, or switched off."""
    yield from soft_limit_outside(context.robot)
    yield from fold(_switched_off(context))


def _switched_off(context: Context) -> Iterator[Finding]:
    for joint in context.robot.joints:
        if joint.safety is not None and joint.safety.k_velocity == 0:
            message = "k_velocity is 0, so the safety controller does nothing"
            yield Finding(joint, message, "safety_controller@k_velocity")
