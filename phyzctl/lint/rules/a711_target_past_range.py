"""A servo that may be told to go where its joint can't.

What it checks
    The positions that a servo's ctrlrange asks for lie in the range of its joint, or outside by
    no more than 5 % of the range (`target-excess`).

Why it matters
    The servo presses the joint against its stop with all its force; a policy or a slider spends
    much of its travel there.

Fix
    Write the joint's range as the ctrlrange, or `inheritrange="1"` in its place. It is a warning
    where the excess is larger than the range itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Fix, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.edits import numbers, set_attribute
from phyzctl.lint.fold import summed
from phyzctl.lint.servos import Servo, looks_like_degrees, range_of, servos

CODE = Code("A711", "target-past-range", Severity.INFO)
FORMATS = frozenset({"mjcf"})
TOLERANCES = {"target-excess": 0.05}  # of the range

_MANIFOLD = 1.0  # of the range: this can't be a margin that somebody wanted


def check(context: Context) -> Iterator[Finding]:
    """Controls that ask for positions outside of ranges."""
    found = list(_found(context))
    for severity in (Severity.WARNING, None):
        alike = (finding for finding in found if finding.severity is severity)
        yield from summed(alike, "its controls ask for positions outside the joint's range")


def _found(context: Context) -> Iterator[Finding]:
    tolerance = context.tolerance("target-excess")
    for servo in servos(context.robot):
        targets, bounds = servo.targets, range_of(servo.joint)
        if targets is None or bounds is None or looks_like_degrees(servo):
            continue
        excess = max(bounds[0] - targets[0], targets[1] - bounds[1])
        share = excess / (bounds[1] - bounds[0])
        if share <= tolerance:
            continue
        message = (
            f"its controls ask for {targets[0]:.4g} to {targets[1]:.4g}, joint "
            f"{servo.joint.name!r} goes from {bounds[0]:.4g} to {bounds[1]:.4g}"
        )
        severity = Severity.WARNING if share > _MANIFOLD else None
        yield Finding(
            servo.actuator, message, "ctrlrange", severity=severity, fix=_fix(context, servo)
        )


def _fix(context: Context, servo: Servo) -> Fix | None:
    """Write the joint's range, where the element itself states controls that are positions."""
    node, bounds = context.node(servo.actuator), range_of(servo.joint)
    plain = servo.gain == servo.kp and servo.bias == 0.0 and servo.gear == 1.0
    if node is None or bounds is None or not plain or not node.get("ctrlrange"):
        return None
    edit = set_attribute(node, "ctrlrange", numbers(bounds))
    return node.document.fix("write the joint's range as the ctrlrange", edit)
