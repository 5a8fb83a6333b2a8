"""A range of an actuator whose bounds are in the wrong order.

What it checks
    The lower bound of `ctrlrange`, `forcerange` and `actrange` is below the upper. A range of two
    zeros means none.

Why it matters
    MuJoCo takes such a range for none at all: the actuator is silently unlimited.

Fix
    Swap the bounds, or correct the sign that was lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from phyzctl import codes
from phyzctl.formats.xmltree import Node
from phyzctl.issues import Finding, Fix
from phyzctl.lint.context import Context
from phyzctl.lint.edits import set_attribute
from phyzctl.robot.checks.actuators import range_inverted, stated_ranges

CODE = codes.RANGE_INVERTED
FORMATS = frozenset({"mjcf"})


def check(context: Context) -> Iterator[Finding]:
    """Bounds in the wrong order."""
    for finding in range_inverted(context.robot):
        node, attribute = context.node(finding.element), finding.attribute or ""
        low, high = dict(stated_ranges(finding.element))[attribute]
        yield replace(finding, fix=_swapped(node, attribute) if node and low > high else None)


def _swapped(actuator: Node, attribute: str) -> Fix | None:
    bounds = (actuator.get(attribute) or "").split()
    if len(bounds) != 2:
        return None
    edit = set_attribute(actuator, attribute, " ".join(bounds[::-1]))
    return actuator.document.fix("swap the bounds", edit)
