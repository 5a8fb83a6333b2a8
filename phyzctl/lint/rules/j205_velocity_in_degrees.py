"""A velocity limit that looks like degrees per second.

What it checks
    No revolute joint of a URDF with stops less than two turns apart may turn at 50 rad/s
    (`joint-speed`), eight turns a second, or faster.

Why it matters
    Trajectories timed by such a limit are 57 times too fast for the motor.

Fix
    Write the velocity in rad/s: 180 degrees per second are 3.14. It is a warning where the limits
    of the same joint look like degrees too.

Exceptions
    Small hands and fast drives do reach such speeds; then nothing is wrong.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.robot.elements import Joint, JointKind

CODE = Code("J205", "velocity-in-degrees", Severity.INFO)
FORMATS = frozenset({"urdf"})
TOLERANCES = {"joint-speed": 50.0}  # [rad/s]

_FEW_TURNS = 4.0 * math.pi  # [rad]
_MANY_TURNS = 720.0
_UNLIMITED = 1000.0  # [rad/s] such a number stands for no limit at all


def check(context: Context) -> Iterator[Finding]:
    """Speeds that few joints reach."""
    least = context.tolerance("joint-speed")
    yield from fold(
        finding for joint in context.robot.joints if (finding := _finding(joint, least)) is not None
    )


def _finding(joint: Joint, least: float) -> Finding | None:
    limit = joint.limit
    speed, bounds = limit.velocity, (limit.lower or 0.0, limit.upper or 0.0)
    if joint.kind is not JointKind.REVOLUTE or speed is None or joint.mimic is not None:
        return None
    if not least <= speed < _UNLIMITED:
        return None
    farthest = max(map(abs, bounds))
    in_degrees = _FEW_TURNS < farthest <= _MANY_TURNS
    if farthest > _FEW_TURNS and not in_degrees:
        return None
    message = (
        f"the velocity limit {speed:g} rad/s is {speed / math.tau:.3g} turns a second; in degrees "
        f"per second it would be {math.radians(speed):.3g} rad/s"
    )
    return Finding(
        joint, message, "limit@velocity", severity=Severity.WARNING if in_degrees else None
    )
