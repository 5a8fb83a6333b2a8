"""Entries of an inertia that repeat its other half.

What it checks
    `<inertia>` has no `iyx`, `izx` or `izy`: a tensor is symmetric, and URDF writes its upper half.

Why it matters
    Nothing reads them. Where they differ from `ixy`, `ixz` and `iyz`, one half is wrong and
    nobody can tell which.

Fix
    Remove them. Safe where they equal the entries that count.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.formats.xmltree import Node
from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.edits import remove_attributes
from phyzctl.lint.fold import fold

CODE = Code("X007", "inertia-redundant", Severity.INFO)
FORMATS = frozenset({"urdf"})

_MIRRORED = {"iyx": "ixy", "izx": "ixz", "izy": "iyz"}


def check(context: Context) -> Iterator[Finding]:
    """The lower half of a tensor."""
    yield from fold(
        _finding(node)
        for node in context.nodes()
        if node.tag == "inertia" and not _MIRRORED.keys().isdisjoint(node.attributes)
    )


def _finding(inertia: Node) -> Finding:
    written = [name for name in _MIRRORED if name in inertia.attributes]
    differing = [name for name in written if not _equal(inertia, name)]
    verb = "repeat" if len(written) > 1 else "repeats"
    message = f"{', '.join(written)} {verb} the upper half of the tensor"
    if differing:
        name = differing[0]
        mirror = _MIRRORED[name]
        message = (
            f'{name}="{inertia.get(name)}" differs from {mirror}="{inertia.get(mirror)}", '
            f"which is the one that counts"
        )
    edits = remove_attributes(inertia, written)
    fix = inertia.document.fix("remove what repeats", *edits, safe=not differing)
    return Finding(inertia, message, (differing or written)[0], fix=fix)


def _equal(inertia: Node, name: str) -> bool:
    try:
        return float(inertia.attributes[name]) == float(inertia.attributes[_MIRRORED[name]])
    except (KeyError, ValueError):
        return False
