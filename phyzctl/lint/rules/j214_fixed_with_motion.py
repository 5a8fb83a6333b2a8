"""A fixed joint with a limit, dynamics or the like.

What it checks
    A fixed joint of a URDF has no `<limit>`, `<dynamics>`, `<calibration>` or
    `<safety_controller>`. Its axis is not looked at: many tools write one.

Why it matters
    Nothing breaks, they have no effect. They are a hint that the joint was meant to move, or
    leftovers from when it did.

Fix
    Remove them.

Exceptions
    Off by default; `--pedantic` turns it on.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.edits import remove_element
from phyzctl.lint.fold import fold
from phyzctl.robot.elements import JointKind

CODE = Code("J214", "fixed-with-motion", Severity.INFO)
FORMATS = frozenset({"urdf"})
DEFAULT = False

_MOTION = ("limit", "dynamics", "calibration", "safety_controller")


def check(context: Context) -> Iterator[Finding]:
    """What has no effect on a joint that never moves."""
    yield from fold(_idle(context))


def _idle(context: Context) -> Iterator[Finding]:
    for joint in context.robot.joints:
        node = context.node(joint) if joint.kind is JointKind.FIXED else None
        idle = [child for child in node.children if child.tag in _MOTION] if node else []
        if node is not None and idle:
            tags = " and ".join(f"<{child.tag}>" for child in idle)
            edits = [remove_element(child) for child in idle]
            fix = node.document.fix("remove what has no effect", *edits, safe=True)
            message = f"the joint is fixed, so nothing reads its {tags}"
            yield Finding(joint, message, f"{idle[0].tag}@", fix=fix)
