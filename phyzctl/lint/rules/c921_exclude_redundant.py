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
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.lint.edits import remove_element
from phyzctl.robot.checks.contact import exclude_redundant

CODE = codes.EXCLUDE_REDUNDANT
FORMATS = frozenset({"mjcf", "srdf"})


def check(context: Context) -> Iterator[Finding]:
    """Excludes of pairs that never collide."""
    for finding in exclude_redundant(context.robot):
        node = context.node(finding.element)
        if node is None:
            yield finding
        else:
            fix = node.document.fix("remove the exclude", remove_element(node), safe=True)
            yield replace(finding, fix=fix)
