"""The `<compiler>` elements that hold for an MJCF file, for rules on what only a file says."""

from __future__ import annotations

import os
from collections.abc import Iterator

from phyzctl.formats.xmltree import Document, Node
from phyzctl.issues import Fix
from phyzctl.lint.context import Context
from phyzctl.lint.edits import Edit, set_attribute


def model_nodes(context: Context) -> Iterator[Node]:
    """Every element of the main file and its includes, in their order.

    Models that are attached are left out: they have compilers of their own.
    """
    main = context.document
    if main is None or main.root is None:
        return
    waiting, seen = [main.root], {main.path}
    while waiting:
        node = waiting.pop()
        yield node
        if node.tag != "include":
            waiting.extend(reversed(node.children))
            continue
        included = _included(node, main, context)
        if included is not None and included.root is not None and included.path not in seen:
            seen.add(included.path)
            waiting.extend(reversed(included.root.children))


def compilers(context: Context) -> list[Node]:
    """The `<compiler>` elements in the order in which they override each other."""
    return [node for node in model_nodes(context) if node.tag == "compiler"]


def reads_degrees(context: Context) -> bool:
    """True when angles are in degrees, which is so where no compiler says otherwise."""
    stated = [node.get("angle") for node in compilers(context) if node.get("angle")]
    return not stated or stated[-1] != "radian"


def radian_fix(context: Context) -> Fix | None:
    """Make the compiler read all angles in radians."""
    document = context.document
    if document is None or document.root is None:
        return None
    own = [node for node in compilers(context) if node.document is document]
    edit = set_attribute(own[-1], "angle", "radian") if own else _new_compiler(document.root)
    return None if edit is None else document.fix('write angle="radian"', edit)


def _new_compiler(root: Node) -> Edit | None:
    if not root.children:
        return None
    start = root.children[0].offset
    return (start, start, '<compiler angle="radian"/>\n  ')


def _included(include: Node, main: Document, context: Context) -> Document | None:
    file = include.get("file") or ""
    for folder in (os.path.dirname(main.path), os.path.dirname(include.document.path)):
        path = os.path.normpath(os.path.join(folder, file))
        if path in context.documents:
            return context.documents[path]
    return None
