"""A joint whose lower limit lies above its upper limit.

What it checks
    Revolute and prismatic joints (URDF), hinges and slides with a range (MJCF): the lower bound
    must not exceed the upper. A bound that URDF leaves out counts as 0.

Why it matters
    Consumers disagree about what such a joint does: MuJoCo takes it for unlimited, sdformat
    swaps the bounds, Drake ends the process.

Fix
    Write the smaller number as lower. The offered fix swaps the two; look whether a sign was
    lost instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from phyzctl import codes
from phyzctl.formats.xmltree import Node
from phyzctl.issues import Finding, Fix
from phyzctl.lint.context import Context
from phyzctl.lint.edits import set_attribute
from phyzctl.robot.checks.joints import limit_inverted

CODE = codes.LIMIT_INVERTED


def check(context: Context) -> Iterator[Finding]:
    """Bounds in the wrong order, with a fix that swaps them."""
    for finding in limit_inverted(context.robot):
        node = context.node(finding.element)
        yield replace(finding, fix=None if node is None else _swapped(node))


def _swapped(joint: Node) -> Fix | None:
    description = "swap the bounds"
    limit = joint.find("limit")
    if limit is not None:
        lower, upper = limit.get("lower") or "0", limit.get("upper") or "0"
        edits = (set_attribute(limit, "lower", upper), set_attribute(limit, "upper", lower))
        return joint.document.fix(description, *edits)
    bounds = (joint.get("range") or "").split()
    if len(bounds) != 2:
        return None
    return joint.document.fix(description, set_attribute(joint, "range", " ".join(bounds[::-1])))
