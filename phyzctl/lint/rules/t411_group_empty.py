"""A planning group that holds nothing, or itself.

What it checks
    Every `<group>` of an SRDF names a chain, a link, a joint or another group, and doesn't come
    back to itself through the groups that it names.

Why it matters
    MoveIt leaves out such a group, and all that uses it fails.

Fix
    Name what belongs to the group, or remove it.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.semantics import semantics_of

CODE = Code("T411", "group-empty", Severity.WARNING)
FORMATS = frozenset({"srdf"})


def check(context: Context) -> Iterator[Finding]:
    """Groups of nothing, and groups in a circle."""
    semantics = semantics_of(context)
    if semantics is None:
        return
    groups = [node for node in semantics.root.findall("group") if node.get("name")]
    within = {
        str(node.get("name")): [str(part.get("name")) for part in node.findall("group")]
        for node in groups
    }
    for node in groups:
        name = str(node.get("name"))
        if not node.children:
            yield Finding(node, "the group holds nothing", subject=f"group {name!r}")
        elif name in _reached(name, within):
            message = "the group holds itself, through the groups that it names"
            yield Finding(node, message, subject=f"group {name!r}")


def _reached(name: str, within: dict[str, list[str]]) -> set[str]:
    """All groups that a group comes to by those that it names."""
    reached: set[str] = set()
    waiting = list(within.get(name, ()))
    while waiting:
        here = waiting.pop()
        if here not in reached:
            reached.add(here)
            waiting.extend(within.get(here, ()))
    return reached
