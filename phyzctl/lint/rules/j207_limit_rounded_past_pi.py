"""A limit that rounding has put beyond a multiple of pi/2.

What it checks
    A bound of a revolute joint of a URDF lies beyond one to eight quarter turns by less than
    0.002 rad: 3.1416 or 1.571, say.

Why it matters
    Planners that compare with pi in full precision reject such a joint or its states: 3.1416 is
    out of [-pi, pi].

Fix
    Write 16 digits, rounded towards zero: 3.141592653589793.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Fix, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.edits import quarter_turns, set_attribute
from phyzctl.lint.fold import fold
from phyzctl.robot.elements import Joint, JointKind

CODE = Code("J207", "limit-rounded-past-pi", Severity.INFO)
FORMATS = frozenset({"urdf"})

_TURNS = range(1, 9)
_BEYOND_ALL = 5 * math.pi  # [rad]; false for NaN too
_ROUNDING = 2e-3  # [rad] beyond that it isn't a rounded multiple
_EXACT = 1e-9  # [rad] nobody compares more exactly


def check(context: Context) -> Iterator[Finding]:
    """Bounds just beyond a multiple of pi/2."""
    yield from fold(_rounded(context))


def _rounded(context: Context) -> Iterator[Finding]:
    for joint in context.robot.joints:
        if joint.kind is not JointKind.REVOLUTE:
            continue
        beyond = {name: turns for name in ("lower", "upper") if (turns := _turns(joint, name))}
        if beyond:
            name, turns = next(iter(beyond.items()))
            excess = abs(getattr(joint.limit, name)) - abs(turns) * math.pi / 2
            message = f"{name} limit {_shown(joint, name)} is {excess:.2g} rad beyond {_pi(turns)}"
            yield Finding(joint, message, f"limit@{name}", fix=_fix(context, joint, beyond))


def _turns(joint: Joint, name: str) -> int:
    """The quarter turns, with sign, that a bound lies just beyond; 0 when it doesn't."""
    value: float | None = getattr(joint.limit, name)
    if value is None or not abs(value) < _BEYOND_ALL:
        return 0
    turns = round(abs(value) / (math.pi / 2))
    excess = abs(value) - turns * math.pi / 2
    return (
        int(math.copysign(turns, value)) if turns in _TURNS and _EXACT < excess < _ROUNDING else 0
    )


def _pi(turns: int) -> str:
    whole, half = divmod(abs(turns), 2)
    factor = abs(turns) if half else whole
    sign = "-" if turns < 0 else ""
    return f"{sign}{factor if factor > 1 else ''}pi{'/2' if half else ''}"


def _shown(joint: Joint, name: str) -> str:
    return f"{getattr(joint.limit, name):.6g}"


def _fix(context: Context, joint: Joint, beyond: dict[str, int]) -> Fix | None:
    node = context.node(joint)
    limit = node.find("limit") if node else None
    if limit is None:
        return None
    edits = [set_attribute(limit, name, quarter_turns(turns)) for name, turns in beyond.items()]
    return limit.document.fix("round towards zero", *edits, safe=True)
