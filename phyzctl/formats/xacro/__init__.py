"""Xacro: macros that make a URDF (or any XML), expanded through the `xacro` package."""

from __future__ import annotations

import importlib

from phyzctl.formats.format import Reader, Reading, ReadOptions
from phyzctl.formats.xmlnode import Document, Node
from phyzctl.issues import Issues

SUFFIX = ".xacro"

_MACRO_STARTS = ("${", "$(")


def is_xacro(document: Document) -> bool:
    """True for XML that has to be expanded: it uses xacro's elements, or its expressions.

    Expressions alone don't count in a file that neither declares xacro's namespace nor is named
    as one: there they were left by mistake.
    """
    root = document.root
    if root is None:
        return False
    declared = "xmlns:xacro" in root.attributes or document.path.lower().endswith(SUFFIX)
    return any(_uses_xacro(node, declared=declared) for node in root.iter())


def _uses_xacro(node: Node, *, declared: bool) -> bool:
    if not declared:
        return False
    if node.tag.startswith("xacro:"):
        return True
    texts = (node.text, *node.attributes.values())
    return any(start in text for text in texts if "$" in text for start in _MACRO_STARTS)


def read(document: Document, issues: Issues, options: ReadOptions, then: Reader) -> Reading:
    """What `then` reads in the expanded document; faults go to `issues`."""
    # Imported when it is needed, as all readers are.
    reading: Reading = importlib.import_module("phyzctl.formats.xacro.expand").read(
        document, issues, options, then
    )
    return reading
