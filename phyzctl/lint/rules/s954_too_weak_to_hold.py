"""A joint that is too weak to hold what hangs on it.

What it checks
    At the keyframes, or else in the reference pose, the torque or force that gravity asks of a
    joint, its base held still, is no more than its motors can give: effort in URDF, and in MJCF
    what actuators and actuatorfrcrange allow.

Why it matters
    The arm sinks whatever the controller does. Often effort is in another unit, or a mass is.

Fix
    Compare effort with the motor's data sheet, and the masses with the scales.

Exceptions
    Joints that nothing drives or bounds, that follow others or are held by springs, tendons,
    equalities or gravity compensation.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context

CODE = Code("S954", "too-weak-to-hold", Severity.INFO)
COST = "sweep"


def check(context: Context) -> Iterator[Finding]:
    """Joints whose motors lose against gravity, each in its worst pose."""
    for load in context.loads:
        if load.torque > load.strength:
            unit = "N m" if load.joint.kind.turns else "N"
            message = (
                f"gravity asks for {load.torque:.3g} {unit} {load.pose}, its motors give at most "
                f"{load.strength:.3g}"
            )
            place = "limit@effort" if context.dialect != "mjcf" else None
            yield Finding(load.joint, message, place)
