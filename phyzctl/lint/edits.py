"""Byte edits for fixes: they change what a rule is about and not one byte more.

Each function returns edits for `Document.fix`: (start, end, text) in byte offsets.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import ROUND_DOWN, Context, Decimal

from phyzctl.formats.xmltree import Node

Edit = tuple[int, int, str]

_PI = Decimal("3.14159265358979323846264338327950288419716939937510")
# xml.sax.saxutils would do, but imports half of the network library.
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", '"': "&quot;", "'": "&apos;"})
_DIGITS = Context(prec=16, rounding=ROUND_DOWN)


def number(value: float) -> str:
    """The shortest text that reads back as the same float, without a needless `.0`."""
    text = repr(float(value))
    return text.removesuffix(".0")


def numbers(values: Iterable[float]) -> str:
    """Several numbers, separated by blanks."""
    return " ".join(number(value) for value in values)


def degrees_as_radians(values: Iterable[float]) -> str:
    """Angles [deg] written in radians."""
    return numbers(math.radians(value) for value in values)


def quarter_turns(count: int) -> str:
    """`count` times pi/2 to 16 digits, rounded towards zero so that it is not beyond."""
    return str((_PI / 2 * count).normalize(_DIGITS))


def set_attribute(node: Node, name: str, text: str) -> Edit:
    """Write an attribute: its value when it is there, else behind the others."""
    quoted = text.translate(_ESCAPES)
    span = node.attribute_span(name)
    if span is not None:
        return (*span, quoted)
    at = node.insertion_offset
    return (at, at, f' {name}="{quoted}"')


def remove_attributes(node: Node, names: Iterable[str]) -> list[Edit]:
    """Remove attributes together with the blanks before them."""
    edits = []
    for name in names:
        start, end = node.name_span(name), node.attribute_span(name)
        if start is not None and end is not None:
            edits.append((_before_blanks(node, start[0]), end[1] + 1, ""))
    return edits


def remove_element(node: Node) -> Edit:
    """Remove an element together with the blanks before it."""
    return (_before_blanks(node, node.offset), node.end, "")


def append_child(node: Node, text: str) -> Edit | None:
    """Write a child behind the last one, indented like it; None when there is no child."""
    if not node.children:
        return None
    last = node.children[-1]
    start = _before_blanks(node, last.offset)
    blanks = node.document.data[start : last.offset].decode("ascii")
    return (last.end, last.end, f"{blanks}{text}")


def _before_blanks(node: Node, offset: int) -> int:
    data = node.document.data
    while offset > 0 and data[offset - 1 : offset].isspace():
        offset -= 1
    return offset
