"""Byte edits for fixes: they change what a rule is about and not one byte more.

Each function returns edits for `Document.fix`: (start, end, text) in byte offsets.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import ROUND_DOWN, Context, Decimal

from phyzctl.formats.xmledits import (
    Edit,
    append_child,
    blanks_before,
    remove_element,
    set_attribute,
)
from phyzctl.formats.xmltree import Node

__all__ = [
    "Edit",
    "append_child",
    "degrees_as_radians",
    "number",
    "numbers",
    "quarter_turns",
    "remove_attributes",
    "remove_element",
    "set_attribute",
]

_PI = Decimal("3.14159265358979323846264338327950288419716939937510")
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


def remove_attributes(node: Node, names: Iterable[str]) -> list[Edit]:
    """Remove attributes together with the blanks before them."""
    edits = []
    for name in names:
        start, end = node.name_span(name), node.attribute_span(name)
        if start is not None and end is not None:
            edits.append((blanks_before(node, start[0]), end[1] + 1, ""))
    return edits
