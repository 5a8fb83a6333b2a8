"""A servo that swings about its target.

What it checks
    The damping ratio of a joint under its servos, (kv + damping) / (2 √(kp · inertia)), is at
    least 0.1 (`damping-ratio`). The inertia is that of all the joint moves in the reference pose,
    armature included, and springs and gears count.

Why it matters
    The joint overshoots and rings for many periods, and every contact sets it off again: what a
    real drive with its friction does not do.

Fix
    State kv, or dampratio="1" in its place; or the joint's damping and armature, as measured.

Exceptions
    Joints with frictionloss, which damps too.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import summed

CODE = Code("A720", "servo-underdamped", Severity.WARNING)
FORMATS = frozenset({"mjcf"})
COST = "mesh"
TOLERANCES = {"damping-ratio": 0.1}


def check(context: Context) -> Iterator[Finding]:
    """Servos that ring."""
    ratio = context.tolerance("damping-ratio")
    summary = f"the servo rings: its damping ratio is below {ratio:g}"
    yield from summed(_found(context, ratio), summary)


def _found(context: Context, least: float) -> Iterator[Finding]:
    for swing in context.swings:
        if swing.friction > 0.0 or swing.ratio >= least or not context.is_stable(swing):
            continue
        message = (
            f"the servo rings: its damping ratio is {swing.ratio:.2g} (stiffness "
            f"{swing.stiffness:.4g}, damping {swing.damping + swing.servo_damping:.4g}, inertia "
            f"{swing.inertia:.3g})"
        )
        yield Finding(swing.servo, message)
