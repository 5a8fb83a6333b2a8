"""An exclude that changes nothing.

What it checks
    An `<exclude>` names two different bodies, not excluded before, that could collide: they are
    neither welded together nor, with MJCF's filterparent on, parent and child. A parent that is
    fixed to the world does collide with its child in MuJoCo.

Why it matters
    It does no harm, but hides which excludes matter; and a pair that is named twice was often
    meant to be another.

Fix
    Remove it, or correct the name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from phyzctl import codes
from phyzctl.formats.xmltree import Node
from phyzctl.issues import Finding, Related
from phyzctl.lint.context import Context
from phyzctl.lint.edits import remove_element
from phyzctl.lint.semantics import semantics_of
from phyzctl.robot.checks.contact import exclude_redundant

CODE = codes.EXCLUDE_REDUNDANT
FORMATS = frozenset({"mjcf", "srdf"})


def check(context: Context) -> Iterator[Finding]:
    """Excludes of pairs that never collide."""
    semantics = semantics_of(context)
    if semantics is not None:
        yield from _of_srdf(semantics.root)
        return
    for finding in exclude_redundant(context.robot):
        node = context.node(finding.element)
        if node is None:
            yield finding
        else:
            fix = node.document.fix("remove the exclude", remove_element(node), safe=True)
            yield replace(finding, fix=fix)


def _of_srdf(root: Node) -> Iterator[Finding]:
    """Pairs that an SRDF disables twice, or of a link with itself."""
    seen: dict[frozenset[str], Node] = {}
    for node in root.findall("disable_collisions"):
        pair = [name for name in (node.get("link1"), node.get("link2")) if name]
        if len(pair) < 2:
            continue
        first = seen.setdefault(frozenset(pair), node)
        related: tuple[Related, ...] = ()
        if pair[0] == pair[1]:
            message = f"disables {pair[0]!r} and itself, which never collide"
        elif first is not node:
            message = f"the pair {pair[0]!r}, {pair[1]!r} is disabled already"
            related = (Related("first disabled here", first.source),)
        else:
            continue
        fix = node.document.fix("remove the pair", remove_element(node), safe=True)
        yield Finding(node, message, subject="disable_collisions", related=related, fix=fix)
