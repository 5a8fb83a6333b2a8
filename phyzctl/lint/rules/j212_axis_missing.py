"""A movable joint that leaves its axis out.

What it checks
    Every revolute, continuous, prismatic or planar joint of a URDF has an `<axis>`.

Why it matters
    Nothing breaks: the joint moves about x, URDF's default. But readers of the file expect the
    axis to be written, and most drawings turn about z.

Fix
    Write the axis that is meant. The offered fix writes the default, `<axis xyz="1 0 0"/>`.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.formats.xmltree import Node
from phyzctl.issues import Code, Finding, Fix, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.edits import append_child
from phyzctl.lint.fold import fold

CODE = Code("J212", "axis-missing", Severity.INFO)
FORMATS = frozenset({"urdf"})


def check(context: Context) -> Iterator[Finding]:
    """Joints that take the default axis."""
    yield from fold(_without_axis(context))


def _without_axis(context: Context) -> Iterator[Finding]:
    for joint in context.robot.joints:
        node = context.node(joint)
        if node is not None and joint.kind.has_axis and node.find("axis") is None:
            message = "the axis is not written, so it is 1 0 0"
            yield Finding(joint, message, "axis@", fix=_fix(node))


def _fix(joint: Node) -> Fix | None:
    edit = append_child(joint, '<axis xyz="1 0 0"/>')
    return None if edit is None else joint.document.fix("write the default", edit, safe=True)
