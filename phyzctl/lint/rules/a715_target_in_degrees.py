"""A ctrlrange that looks like degrees.

What it checks
    No servo on a hinge with stops may be told to turn it by more than two turns, up to 720, the
    number of degrees in two turns; multiples of pi apart.

Why it matters
    MuJoCo reads `angle="degree"` for the ranges of joints, but never for controls: they are always
    in radians. With a ctrlrange of 90, nearly all commands press the joint against its stop.

Fix
    Write the ctrlrange in radians, or `inheritrange="1"` in its place.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Fix, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.edits import degrees_as_radians, set_attribute
from phyzctl.lint.fold import summed
from phyzctl.lint.servos import Servo, looks_like_degrees, servos

CODE = Code("A715", "target-in-degrees", Severity.WARNING)
FORMATS = frozenset({"mjcf"})


def check(context: Context) -> Iterator[Finding]:
    """Controls that ask for many turns."""
    summary = "its controls are read in radians, and would be many turns"
    yield from summed(_found(context), summary)


def _found(context: Context) -> Iterator[Finding]:
    for servo in servos(context.robot):
        if not looks_like_degrees(servo):
            continue
        farthest = max(servo.targets or (0.0,), key=abs)
        message = (
            f"its controls ask for {farthest:g} rad, {abs(farthest) / math.tau:.3g} turns of a "
            f"hinge with stops; {farthest:g} degrees would be {math.radians(farthest):.4g} rad"
        )
        yield Finding(servo.actuator, message, "ctrlrange", fix=_fix(context, servo))


def _fix(context: Context, servo: Servo) -> Fix | None:
    node, controls = context.node(servo.actuator), servo.actuator.ctrl_range
    if node is None or controls is None or not node.get("ctrlrange"):
        return None
    edit = set_attribute(node, "ctrlrange", degrees_as_radians(controls))
    return node.document.fix("write the ctrlrange in radians", edit)
