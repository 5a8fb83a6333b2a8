"""A joint whose lower and upper limit are equal.

What it checks
    The bounds of a revolute or prismatic joint of a URDF differ by 1e-9 at most. A bound that is
    left out counts as 0, so a `<limit>` with neither locks the joint at 0.

Why it matters
    Many authors lock a joint that way, and most consumers follow. MuJoCo ignores such a limit:
    there the joint moves freely.

Fix
    Make the joint fixed if it is meant to be locked; write the bounds if they were forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.robot.elements import JointKind

CODE = Code("J202", "limit-locked", Severity.INFO)
RAISED = {"mujoco": Severity.WARNING}
FORMATS = frozenset({"urdf"})

_EQUAL = 1e-9  # [rad or m]


def check(context: Context) -> Iterator[Finding]:
    """Bounds that leave no room."""
    yield from fold(_locked(context))


def _locked(context: Context) -> Iterator[Finding]:
    for joint in context.robot.joints:
        if joint.kind not in (JointKind.REVOLUTE, JointKind.PRISMATIC):
            continue
        limit = joint.limit.resolved(joint.kind)
        written = joint.limit.source is not None
        if not written or limit.lower is None or limit.upper is None:
            continue
        if abs(limit.upper - limit.lower) <= _EQUAL:
            omitted = joint.limit.lower is None and joint.limit.upper is None
            why = "bounds are left out and count as 0" if omitted else "bounds are equal"
            place = "limit@" if omitted else "limit@lower"
            message = f"{why}: the joint is locked at {limit.lower:g}"
            yield Finding(joint, message, place)
