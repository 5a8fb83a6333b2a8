"""Mimic on a fixed joint, or of one.

What it checks
    A joint that carries a `<mimic>` doesn't follow a fixed joint (an error), and is not fixed
    itself (a warning).

Why it matters
    A joint that follows a fixed one is locked, however free its limits look; consumers that
    count the degrees of freedom of both sides refuse the file. On a fixed joint, a mimic has no
    effect: it is left over from a model in which the joint moved.

Fix
    Remove the `<mimic>`, or give the fixed joint the type it was meant to have.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.robot.elements import JointKind

CODE = Code("J222", "mimic-fixed", Severity.ERROR)
FORMATS = frozenset({"urdf"})


def check(context: Context) -> Iterator[Finding]:
    """Couplings of which one side is fixed."""
    yield from fold(_fixed(context))


def _fixed(context: Context) -> Iterator[Finding]:
    for joint in context.robot.joints:
        if joint.mimic is None:
            continue
        if joint.kind is JointKind.FIXED:
            message = "a fixed joint can't follow another"
            yield Finding(joint, message, "mimic@joint", severity=Severity.WARNING)
        elif context.robot.structure.joint(joint.mimic.joint).kind is JointKind.FIXED:
            message = f"the joint {joint.mimic.joint!r} that it follows is fixed"
            yield Finding(joint, message, "mimic@joint")
