"""Mimic on a fixed joint, or of one.

What it checks
    Neither the joint that carries a `<mimic>` nor the joint it follows is fixed.

Why it matters
    One of the two can't move, so the coupling means nothing; Drake and others refuse the file.

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
            yield Finding(joint, "a fixed joint can't follow another", "mimic@joint")
        elif context.robot.structure.joint(joint.mimic.joint).kind is JointKind.FIXED:
            message = f"the joint {joint.mimic.joint!r} that it follows is fixed"
            yield Finding(joint, message, "mimic@joint")
