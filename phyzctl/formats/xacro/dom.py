"""Between our documents and the DOM that xacro works on, without losing where elements are from.

Every DOM element carries the Node that it was made of, and so do the copies that macros make of
it. What comes out is text again, and a Node for each element in it.
"""

from __future__ import annotations

import time
from typing import Any, cast
from xml.dom import minidom

from phyzctl.formats.xmledits import escaped
from phyzctl.formats.xmlnode import Document, Node

MAX_COPIES = 100_000  # elements that macros may make in all
MAX_SECONDS = 5.0  # of computing: a DOM moves many children slowly

_ORIGIN = "phyzctl-origin"


class TooLargeError(Exception):
    """Macros made more than can be meant."""


class Marks:
    """Marks elements with their Nodes; the DOM calls `handle` for each copy that is made."""

    def __init__(self) -> None:
        self.copies = 0
        self._start = time.process_time()

    def mark(self, element: minidom.Element, node: Node) -> None:
        """Remember what an element was made of."""
        element.setUserData(_ORIGIN, node, self)

    def handle(self, _operation: int, key: str, node: Node, _from: Any, copy: Any) -> None:
        """Mark a copy as its original is marked."""
        self.copies += 1
        if self.copies > MAX_COPIES:
            raise TooLargeError(f"its macros make more than {MAX_COPIES} elements")
        if self.copies % 100 == 0 and time.process_time() - self._start > MAX_SECONDS:
            raise TooLargeError(f"its macros take more than {MAX_SECONDS:g} s of computing")
        copy.setUserData(key, node, self)


def origin_of(element: Any) -> Node | None:
    """The Node that a DOM element was made of, None for anything else."""
    if not isinstance(element, minidom.Element):
        return None
    return cast("Node | None", element.getUserData(_ORIGIN))


def to_dom(document: Document, marks: Marks) -> minidom.Document:
    """A document as xacro wants it. Text stands before the elements beside it."""
    made = minidom.Document()
    if document.root is None:
        return made
    waiting: list[tuple[Node, Any]] = [(document.root, made)]
    while waiting:
        node, parent = waiting.pop()
        element = made.createElement(node.tag)
        for name, value in node.attributes.items():
            element.setAttribute(name, value)
        marks.mark(element, node)
        parent.appendChild(element)
        if node.text:
            element.appendChild(made.createTextNode(node.text))
        waiting.extend((child, element) for child in reversed(node.children))
    return made


def to_text(made: minidom.Document, packages: dict[str, str]) -> tuple[bytes, list[Node | None]]:
    """The text of an expanded DOM, and per element in it the Node that it was made of.

    `packages` maps the folders that `$(find)` gave to their names: where a path below one of
    them stands in an attribute, `package://` is written, which is right on other machines too.
    """
    pieces: list[str] = []
    origins: list[Node | None] = []
    waiting: list[Any] = [made.documentElement]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            pieces.append(item)
        elif item.nodeType == minidom.Node.TEXT_NODE:
            pieces.append(escaped(item.data))
        elif item.nodeType == minidom.Node.ELEMENT_NODE:
            origins.append(origin_of(item))
            stated = "".join(
                f' {name}="{escaped(_portable(value, packages))}"'
                for name, value in item.attributes.items()
            )
            pieces.append(f"<{item.tagName}{stated}>")
            waiting.append(f"</{item.tagName}>\n")
            waiting.extend(reversed(item.childNodes))
    return "".join(pieces).encode("utf-8", "replace"), origins


def _portable(value: str, packages: dict[str, str]) -> str:
    for folder, name in packages.items():
        for start in (f"file://{folder}/", f"{folder}/"):
            if value.startswith(start):
                return f"package://{name}/{value.removeprefix(start)}"
    return value
