"""A continuous joint coupled with a revolute one.

What it checks
    Of a mimic joint and the joint it follows, not one is continuous and the other revolute.

Why it matters
    Libraries that store a continuous joint as cosine and sine (Pinocchio) can't couple it with an
    angle.

Fix
    Give both joints the same type.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context

CODE = Code("J225", "mimic-of-other-type", Severity.INFO)
RAISED = {"pinocchio": Severity.WARNING}
FORMATS = frozenset({"urdf"})


def check(context: Context) -> Iterator[Finding]:
    """Couplings between continuous and revolute."""
    for joint in context.robot.joints:
        if joint.mimic is None:
            continue
        leader = context.robot.structure.joint(joint.mimic.joint)
        if joint.kind.turns and leader.kind.turns and joint.kind is not leader.kind:
            message = (
                f"is {joint.kind.value}, but follows {leader.name!r}, which is {leader.kind.value}"
            )
            yield Finding(joint, message, "mimic@joint")
