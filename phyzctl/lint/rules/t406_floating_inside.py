"""A floating or planar joint inside the tree.

What it checks
    A floating or planar joint of a URDF hangs on the root, or on what is welded to it.

Why it matters
    Most consumers let a robot float as a whole but not a part of it: Drake refuses the joint,
    iDynTree and Pinocchio treat it in ways of their own.

Fix
    Make the joint fixed, or a chain of prismatic and revolute joints if the part does move freely.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.robot.elements import JointKind

CODE = Code("T406", "floating-inside", Severity.WARNING)
FORMATS = frozenset({"urdf"})


def check(context: Context) -> Iterator[Finding]:
    """Free joints below a moving part."""
    groups = context.robot.structure.rigid_groups()
    base = {link.name for link in groups[0]} if groups else set()
    for joint in context.robot.joints:
        free = joint.kind in (JointKind.FLOATING, JointKind.PLANAR)
        if free and joint.parent not in base:
            message = f"a {joint.kind.value} joint on {joint.parent!r}, which is not the base"
            yield Finding(joint, message, "type")
