"""A continuous joint with lower or upper bounds.

What it checks
    The `<limit>` of a continuous joint of a URDF has no `lower` and no `upper`. Effort and
    velocity belong there.

Why it matters
    A continuous joint has no bounds, so these are ignored; whoever wrote them may have meant a
    revolute joint.

Fix
    Remove the bounds, or make the joint revolute if they are meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.formats.xmltree import Node
from phyzctl.issues import Code, Finding, Fix, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.edits import remove_attributes
from phyzctl.lint.fold import fold
from phyzctl.robot.elements import JointKind

CODE = Code("J213", "continuous-with-bounds", Severity.INFO)
FORMATS = frozenset({"urdf"})


def check(context: Context) -> Iterator[Finding]:
    """Bounds without effect."""
    yield from fold(_bounded(context))


def _bounded(context: Context) -> Iterator[Finding]:
    for joint in context.robot.joints:
        stated = {"lower": joint.limit.lower, "upper": joint.limit.upper}
        names = [name for name, value in stated.items() if value is not None]
        if joint.kind is JointKind.CONTINUOUS and names:
            verb = "are" if len(names) > 1 else "is"
            message = f"a continuous joint has no bounds; {' and '.join(names)} {verb} ignored"
            fix = _fix(context.node(joint), names)
            yield Finding(joint, message, f"limit@{names[0]}", fix=fix)


def _fix(joint: Node | None, names: list[str]) -> Fix | None:
    limit = joint.find("limit") if joint else None
    if limit is None:
        return None
    edits = remove_attributes(limit, names)
    return limit.document.fix("remove the bounds", *edits, safe=True)
