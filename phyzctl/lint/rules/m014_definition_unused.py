"""A default class or an asset that nothing uses.

What it checks
    Every default class, mesh, material, texture and height field of an MJCF model is named
    somewhere, or a class within it is.

Why it matters
    It makes the file longer, loading slower (MuJoCo reads unused meshes too), and readers wonder
    what it is for. Often it is what a misspelt name was meant for.

Fix
    Remove it; or name it where it was meant to be used.

Exceptions
    Models that attach others or are parts without bodies, and the outermost default class. Nothing
    is said where a name has no definition: it may be a misspelt one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from phyzctl.formats.xmltree import Node
from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.compilers import model_nodes
from phyzctl.lint.context import Context
from phyzctl.lint.edits import remove_element

CODE = Code("M014", "definition-unused", Severity.INFO)
FORMATS = frozenset({"mjcf"})
DEFAULT = False

_NOUNS = {"mesh": "mesh", "material": "material", "texture": "texture", "hfield": "height field"}
_REFERENCES = frozenset(_NOUNS) | {"class", "childclass"}
_MACROS = frozenset({"attach", "model", "plugin", "skin"})


def check(context: Context) -> Iterator[Finding]:
    """Classes and assets without a reference."""
    nodes = list(model_nodes(context))
    tags = {node.tag for node in nodes}
    if "body" not in tags or tags & _MACROS:
        return
    used, defined = set(_references(nodes)), [_definition(node) for node in nodes]
    if not used - {("class", "main")} <= set(defined):
        return
    for node, (noun, name) in zip(nodes, defined, strict=True):
        if name and (noun, name) not in used and not _holds_used(node, used):
            fix = node.document.fix("remove it", remove_element(node), safe=True)
            subject = f"{_NOUNS.get(noun, 'default class')} {name!r}"
            yield Finding(node, "nothing uses it", subject=subject, fix=fix)


def _definition(node: Node) -> tuple[str, str | None]:
    """What kind of thing an element defines, and its name; no name where it defines nothing."""
    parent = node.parent.tag if node.parent else ""
    if node.tag == "default":
        return "class", node.get("class") if parent == "default" else None
    if node.tag not in _NOUNS or parent != "asset":
        return "", None
    name = node.get("name")
    stem = os.path.splitext(os.path.basename(node.get("file") or ""))[0]
    return node.tag, name or stem


def _holds_used(node: Node, used: set[tuple[str, str]]) -> bool:
    """True for a class within which another is used, which inherits from it."""
    inner = (each.get("class") for each in node.iter() if each.tag == "default")
    return any(("class", name) in used for name in inner if name)


def _references(nodes: Iterable[Node]) -> Iterator[tuple[str, str]]:
    for node in nodes:
        for attribute, value in node.attributes.items():
            if attribute not in _REFERENCES or (node.tag, attribute) == ("default", "class"):
                continue
            yield ("class" if attribute == "childclass" else attribute), value
