"""Limits of a revolute joint that look like degrees.

What it checks
    The larger bound of a revolute joint of a URDF is above 4 pi and at most 720, and no multiple
    of pi.

Why it matters
    URDF measures angles in radians: a limit of 90 is 14 turns, so the joint is practically
    unlimited and planners search a space that doesn't exist.

Fix
    Write radians. The offered fix multiplies both bounds by pi/180.

Exceptions
    A joint that does turn many times, such as a winch, is right as it is: suppress the rule there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Fix, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.edits import degrees_as_radians, set_attribute
from phyzctl.robot.elements import Joint, JointKind

CODE = Code("J204", "limit-in-degrees", Severity.WARNING)
FORMATS = frozenset({"urdf"})

_FEW_TURNS = 4 * math.pi
_MANY_TURNS = 720.0
_MULTIPLE = 1e-3  # [rad] how near a multiple of pi lies


def check(context: Context) -> Iterator[Finding]:
    """Bounds of many turns that are round in degrees, not in radians."""
    for joint in context.robot.joints:
        bounds = _bounds(joint)
        if joint.kind is not JointKind.REVOLUTE or not bounds:
            continue
        name = max(bounds, key=lambda name: abs(bounds[name]))
        value = bounds[name]
        if _FEW_TURNS < abs(value) <= _MANY_TURNS and not _is_multiple_of_pi(value):
            message = (
                f"{name} limit {value:g} rad is {abs(value) / math.tau:.3g} turns; "
                f"{value:g} degrees would be {math.radians(value):.4g} rad"
            )
            first = next(iter(bounds))
            yield Finding(joint, message, f"limit@{first}", fix=_fix(context, joint, bounds))


def _bounds(joint: Joint) -> dict[str, float]:
    """The bounds that are written and not 0."""
    stated = {"lower": joint.limit.lower, "upper": joint.limit.upper}
    return {name: value for name, value in stated.items() if value}


def _is_multiple_of_pi(value: float) -> bool:
    return abs(math.remainder(value, math.pi)) < _MULTIPLE


def _fix(context: Context, joint: Joint, bounds: dict[str, float]) -> Fix | None:
    node = context.node(joint)
    limit = node.find("limit") if node else None
    if limit is None:
        return None
    edits = [set_attribute(limit, name, degrees_as_radians([v])) for name, v in bounds.items()]
    return limit.document.fix("write the bounds in radians", *edits)
