"""A name that is used twice within its kind.

What it checks
    Names of links, of joints, of materials, and in MJCF of geoms, sites, actuators and all else
    that has a name, are unique within their kind; so are those of an SRDF's groups, end effectors
    and virtual joints, and of the states of a group.

Why it matters
    Whatever refers to the name can mean either. Most parsers refuse the file; some keep the last.

Fix
    Rename one of the two. phyzctl keeps the first and leaves the other out.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.formats.xmltree import Node
from phyzctl.issues import Finding, Related
from phyzctl.lint.context import Context
from phyzctl.lint.semantics import semantics_of, subject_of

CODE = codes.NAME_DUPLICATE
FORMATS = frozenset({"urdf", "mjcf", "srdf"})

_NAMED = ("group", "group_state", "end_effector", "virtual_joint")


def check(context: Context) -> Iterator[Finding]:
    """Namesakes of an SRDF; the builder reports the rest."""
    semantics = semantics_of(context)
    if semantics is None:
        return
    seen: dict[tuple[str, str, str], Node] = {}
    for node in semantics.root.children:
        name = node.get("name")
        if node.tag not in _NAMED or not name:
            continue
        owner = (node.get("group") or "") if node.tag == "group_state" else ""
        first = seen.setdefault((node.tag, owner, name), node)
        if first is not node:
            related = (Related("first defined here", first.source),)
            message = f"the name {name!r} is taken"
            yield Finding(node, message, "name", subject=subject_of(node), related=related)
