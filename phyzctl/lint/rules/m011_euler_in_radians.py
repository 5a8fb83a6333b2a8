"""Euler angles written in radians where degrees are read.

What it checks
    In an MJCF file whose compiler doesn't say angle="radian", no euler consists of quarter and
    half turns in radians: 1.57, 3.14 and their like, with 0. One finding for the file.

Why it matters
    MJCF reads degrees by default, so the part is turned by a degree or two instead of ninety.
    It looks almost right, and every axis below it is off.

Fix
    Write 90 for 1.5708, or `<compiler angle="radian"/>` when the whole file is in radians.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from phyzctl.formats.xmltree import Node
from phyzctl.issues import Code, Finding, Fix, Related, Severity
from phyzctl.lint.compilers import model_nodes, reads_degrees
from phyzctl.lint.context import Context
from phyzctl.lint.edits import numbers, set_attribute

CODE = Code("M011", "euler-in-radians", Severity.WARNING)
FORMATS = frozenset({"mjcf"})

_NEAR = 2e-3  # [rad] as far as three digits of a quarter turn are off


def check(context: Context) -> Iterator[Finding]:
    """Quarter turns in radians."""
    if not reads_degrees(context):
        return
    found = [(node, angles) for node in model_nodes(context) if (angles := _quarters(node))]
    if not found:
        return
    (first, angles), *others = found
    more = f"; so do {len(others)} more" if others else ""
    message = (
        f"euler {first.get('euler')!r} is read in degrees, and looks like quarter turns in "
        f"radians{more}"
    )
    related = tuple(Related("so does this", node.attribute_source("euler")) for node, _ in others)
    fix = None if others else _fix(first, angles)
    yield Finding(first, message, "euler", subject=first.subject, related=related, fix=fix)


def _quarters(node: Node) -> list[float]:
    """The angles of a node that has only quarter and half turns in radians, else none."""
    try:
        angles = [float(word) for word in (node.get("euler") or "").split()]
    except ValueError:
        return []
    is_turned = all(angle == 0.0 or _is_quarter(angle) for angle in angles)
    return angles if is_turned and any(angles) else []


def _is_quarter(angle: float) -> bool:
    turns = (0.5 * math.pi, math.pi)
    return any(abs(abs(angle) - turn) < _NEAR for turn in turns)


def _fix(node: Node, angles: list[float]) -> Fix:
    degrees = numbers(round(math.degrees(angle) / 90.0) * 90.0 for angle in angles)
    return node.document.fix("write degrees", set_attribute(node, "euler", degrees))
