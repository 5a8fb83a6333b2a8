"""Two servos that pull one joint to different targets.

What it checks
    In MJCF no two position servos, and no two velocity servos, drive the same joint.

Why it matters
    MuJoCo adds their forces without a word: the joint stops between the two targets, and both
    motors work against each other.

Fix
    Remove one of them, or put them into actuator groups of which only one is enabled.

Exceptions
    A position servo beside a velocity servo is a common way to write damping, and a motor beside
    a servo a feed-forward torque. Servos of different actuator groups are taken for alternatives.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Related, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.servos import Servo, servos

CODE = Code("A704", "servos-conflict", Severity.WARNING)
FORMATS = frozenset({"mjcf"})


def check(context: Context) -> Iterator[Finding]:
    """Second servos of one kind on one joint."""
    seen: dict[tuple[str, str, int], Servo] = {}
    for servo in servos(context.robot):
        actuator, joint = servo.actuator, servo.joint
        first = seen.setdefault((joint.name, servo.holds, actuator.group or 0), servo)
        if first is not servo:
            message = (
                f"a second {servo.holds} servo on joint {joint.name!r}; the two pull against "
                "each other"
            )
            related = (Related("the first stands here", first.actuator.source),)
            yield Finding(actuator, message, related=related)
