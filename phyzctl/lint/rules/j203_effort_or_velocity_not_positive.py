"""A movable joint whose effort or velocity limit is zero or negative.

What it checks
    The effort and velocity limits that a URDF states for its movable joints (mimic joints apart)
    are positive. Where all of several joints have 0, that is reported once, as info: it is how
    many authors write "unknown".

Why it matters
    Taken by the word, a joint with effort 0 has a motor that can't pull and one with velocity 0
    never moves; motion planners and simulators do take it by the word.

Fix
    Write the motor's limits. URDF 1.2 also knows `inf` for unlimited.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.robot.elements import Joint, JointKind

CODE = Code("J203", "effort-or-velocity-not-positive", Severity.WARNING)
FORMATS = frozenset({"urdf"})

_DRIVEN = (JointKind.REVOLUTE, JointKind.CONTINUOUS, JointKind.PRISMATIC)
_QUANTITIES = ("effort", "velocity")


def check(context: Context) -> Iterator[Finding]:
    """Limits of effort and velocity that are negative, or zero."""
    joints = [j for j in context.robot.joints if j.kind in _DRIVEN and j.mimic is None]
    for joint in joints:
        for name, value in _stated(joint):
            if value < 0:
                yield Finding(joint, f"{name} limit {value:g} is negative", f"limit@{name}")
    unknown = {name for name in _QUANTITIES if _zero_everywhere(joints, name)}
    yield from fold(_zero(joints, unknown))


def _zero(joints: list[Joint], unknown: set[str]) -> Iterator[Finding]:
    for joint in joints:
        zero = [name for name, value in _stated(joint) if value == 0]
        odd = [name for name in zero if name not in unknown]
        usual = [name for name in zero if name in unknown]
        if odd:
            yield Finding(joint, f"{_limits(odd)} 0", f"limit@{odd[0]}")
        if usual:
            message = f"{_limits(usual)} 0 on every joint"
            yield Finding(joint, message, f"limit@{usual[0]}", severity=Severity.INFO)


def _limits(names: list[str]) -> str:
    return f"{' and '.join(names)} {'limits are' if len(names) > 1 else 'limit is'}"


def _zero_everywhere(joints: list[Joint], name: str) -> bool:
    values = [value for joint in joints for stated, value in _stated(joint) if stated == name]
    return len(values) > 1 and not any(values)


def _stated(joint: Joint) -> Iterator[tuple[str, float]]:
    for name in _QUANTITIES:
        value = getattr(joint.limit, name)
        if value is not None:
            yield name, value
