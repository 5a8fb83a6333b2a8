"""A range that is switched off where it is written.

What it checks
    No joint of an MJCF file writes a range while it, or its default class, says limited="false";
    no class writes both.

Why it matters
    The joint turns without end, though the file shows limits to every reader.

Fix
    Remove limited="false", or the range if the joint is free to turn.

Exceptions
    A joint that says limited="false" to switch off the range of its class. Without a `limited`
    and with autolimits off, MuJoCo refuses the range (X006).
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.formats.xmltree import Node
from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.compilers import model_nodes
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.robot.elements import Joint, JointKind

CODE = Code("J230", "range-without-effect", Severity.WARNING)
FORMATS = frozenset({"mjcf"})

_RANGED = (JointKind.CONTINUOUS, JointKind.PRISMATIC, JointKind.SPHERICAL)


def check(context: Context) -> Iterator[Finding]:
    """Ranges that bound nothing."""
    off = 'the range has no effect, since limited="false"'
    yield from fold(
        Finding(node, off, "range", subject=_class_of(node))
        for node in model_nodes(context)
        if node.tag == "joint" and node.get("limited") == "false" and _is_range(node)
    )
    by_class = 'the range has no effect, since the default class says limited="false"'
    yield from fold(
        Finding(joint, by_class, "range")
        for joint in context.robot.joints
        if (node := context.node(joint)) is not None
        and node.get("limited") is None
        and _is_range(node)
        and _is_free(joint)
    )


def _is_range(node: Node) -> bool:
    """True for two different numbers: others are no range, whatever `limited` says."""
    words = (node.get("range") or "").split()
    return len(words) == 2 and words[0] != words[1]


def _is_free(joint: Joint) -> bool:
    """True for a joint that could have a range, and has none."""
    if joint.kind is JointKind.CONTINUOUS:
        return True
    return joint.kind in _RANGED and joint.limit.lower is None


def _class_of(node: Node) -> str | None:
    parent = node.parent
    if parent is None or parent.tag != "default":
        return None
    return f"joint of default class {parent.get('class') or 'main'!r}"
