"""Byte edits of an XML document: they change what they are about and not one byte more.

An edit is (start, end, text): the bytes `start:end` of the file become `text`.
"""

from __future__ import annotations

from collections.abc import Iterable

from phyzctl.errors import PhyzctlError
from phyzctl.formats.xmlnode import Document, Node

Edit = tuple[int, int, str]

# xml.sax.saxutils would do, but imports half of the network library.
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", '"': "&quot;", "'": "&apos;"})


def escaped(text: str) -> str:
    """Text that may stand between quotes."""
    return text.translate(_ESCAPES)


def set_attribute(node: Node, name: str, text: str) -> Edit:
    """Write an attribute: its value when it is there, else behind the others."""
    span = node.attribute_span(name)
    if span is not None:
        return (*span, escaped(text))
    at = node.insertion_offset
    return (at, at, f' {name}="{escaped(text)}"')


def remove_element(node: Node) -> Edit:
    """Remove an element together with the blanks before it."""
    return (blanks_before(node, node.offset), node.end, "")


def append_child(node: Node, text: str) -> Edit | None:
    """Write a child behind the last one, indented like it; None when there is no child."""
    return insert_after(node.children[-1], text) if node.children else None


def insert_after(sibling: Node, *texts: str) -> Edit:
    """Write elements behind `sibling`, with the blanks that stand before it."""
    start = blanks_before(sibling, sibling.offset)
    blanks = sibling.document.data[start : sibling.offset].decode("ascii")
    return (sibling.end, sibling.end, "".join(f"{blanks}{text}" for text in texts))


def insert_at_end(node: Node, *texts: str) -> Edit:
    """Write lines before the end tag of an element, or into one that has none."""
    data = node.document.data
    newline = "\r\n" if b"\r\n" in data else "\n"
    closing = data.rfind(b"</", node.offset, node.end)
    if closing < 0:  # <robot name="a"/>
        slash = data.rfind(b"/", node.offset, node.end)
        lines = "".join(f"{newline}{text}" for text in texts)
        return (slash, node.end, f">{lines}{newline}</{node.tag}>")
    start = blanks_before(node, closing)
    lines = "".join(f"{newline}{text}" for text in texts)
    tail = "" if b"\n" in data[start:closing] else newline
    return (start, start, f"{lines}{tail}")


def blanks_before(node: Node, offset: int) -> int:
    """Where the blanks that end at `offset` begin."""
    data = node.document.data
    while offset > 0 and data[offset - 1 : offset].isspace():
        offset -= 1
    return offset


def applied(document: Document, edits: Iterable[Edit]) -> bytes:
    """The file's bytes with the edits made.

    Raises PhyzctlError where bytes can't be edited: a file in UTF-16, one whose XML had to be
    repaired, or text that its encoding doesn't have.
    """
    if not document.editable or document.repairs:
        why = "its XML had to be repaired" if document.repairs else "it is not in UTF-8"
        raise PhyzctlError(f"can't edit {document.path!r} in place: {why}")
    data, position, pieces = document.original, 0, []
    for start, end, text in sorted(edits):
        pieces += [data[position:start], _encoded(document, text)]
        position = max(position, end)
    return b"".join([*pieces, data[position:]])


def _encoded(document: Document, text: str) -> bytes:
    try:
        return text.encode(document.encoding)
    except UnicodeEncodeError:
        message = f"can't write {text.strip()!r} to {document.path!r}: it is in {document.encoding}"
        raise PhyzctlError(message) from None
