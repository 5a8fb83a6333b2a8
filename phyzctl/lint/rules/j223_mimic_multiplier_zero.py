"""A mimic joint whose multiplier is 0.

What it checks
    The `multiplier` of a `<mimic>` is not 0.

Why it matters
    The joint stays at its offset whatever the leading joint does.

Fix
    Write the ratio (1 when the joints move alike), or make the joint fixed.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context

CODE = Code("J223", "mimic-multiplier-zero", Severity.WARNING)
FORMATS = frozenset({"urdf"})


def check(context: Context) -> Iterator[Finding]:
    """Followers that never move."""
    for joint in context.robot.joints:
        if joint.mimic is not None and joint.mimic.multiplier == 0:
            message = f"multiplier 0: the joint never follows {joint.mimic.joint!r}"
            yield Finding(joint, message, "mimic@multiplier")
