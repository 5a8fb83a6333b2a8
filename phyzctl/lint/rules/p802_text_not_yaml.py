"""A URDF that a ROS 2 launch file can't pass on as a parameter.

What it checks
    The text of the URDF, read as YAML, is one string: it holds no tab, no colon before a blank
    or a line's end, no # behind a blank, and no line that begins with --- or three dots.

Why it matters
    launch_ros reads the value of robot_description as YAML unless it is wrapped in
    ParameterValue(…, value_type=str). A comment such as "mass: weighed" then stops the launch with
    "Unable to parse the value of parameter robot_description as yaml".

Fix
    The offered fix writes dashes for colons in comments, and blanks for tabs. Or wrap the value
    in the launch file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from phyzctl.formats.xmltree import Document
from phyzctl.issues import Code, Finding, Fix, Severity, Source
from phyzctl.lint.context import Context
from phyzctl.lint.edits import Edit
from phyzctl.records import dataclass

CODE = Code("P802", "text-not-yaml", Severity.WARNING)
FORMATS = frozenset({"urdf"})
TARGETS = frozenset({"ros2"})

_FAULT = re.compile(
    rb"(?P<colon>:+(?=[ \t\r\n]|\Z))"
    rb"|(?P<hash>(?<![^ \t\r\n])#)"
    rb"|(?P<tab>\t)"
    rb"|(?P<marker>^(?:---|\.\.\.)(?=\s|\Z))"
    rb"|(?P<control>[\x00-\x08\x0b\x0c\x0e-\x1f\x7f])",
    re.MULTILINE,
)
_SAID = {
    "colon": "a colon before a blank",
    "hash": "a # behind a blank",
    "tab": "a tab",
    "marker": "a line that separates YAML documents",
    "control": "a control character",
}
_PIECE = re.compile(rb"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<[^>]*>|[^<]+|<", re.DOTALL)
_OWN_COMMENT = re.compile(rb"<!--\s*phyzctl:( +)")


@dataclass(frozen=True)
class Spot:
    """A place in a file that is no element."""

    source: Source


def check(context: Context) -> Iterator[Finding]:
    """The first thing that YAML trips over, and how many there are."""
    document = context.document
    if document is None:
        return
    faults = list(_FAULT.finditer(document.data))
    if not faults:
        return
    kinds = dict.fromkeys(_SAID[fault.lastgroup or ""] for fault in faults)
    more = f", the first of {len(faults)} places" if len(faults) > 1 else ""
    message = f"not one string when read as YAML: {' and '.join(kinds)}{more}"
    source = replace(document.source(faults[0].start()), offset=None)
    yield Finding(Spot(source), message, subject="text", fix=_fix(document, faults))


def _fix(document: Document, faults: list[re.Match[bytes]]) -> Fix | None:
    """Edits for all faults; None where one stands in a value, which is the author's to change."""
    edits: list[Edit] = []
    pieces = _PIECE.finditer(document.data)
    piece = next(pieces, None)
    for fault in faults:
        while piece is not None and piece.end() <= fault.start():
            piece = next(pieces, None)
        edit = None if piece is None else _edit(piece, fault)
        if edit is None:
            return None
        edits.append(edit)
    return document.fix("write dashes for colons, blanks for tabs", *edits, safe=True)


def _edit(piece: re.Match[bytes], fault: re.Match[bytes]) -> Edit | None:
    text, start = piece.group(), fault.start()
    if text.startswith(b"<![CDATA["):
        return None
    if fault.lastgroup == "tab":
        in_tag = text.startswith(b"<") and not text.startswith(b"<!--")
        return (start, start + 1, " " if in_tag else "  ")
    if fault.lastgroup == "colon" and text.startswith(b"<!--"):
        own = _OWN_COMMENT.match(text)  # one of ours still has to be understood
        if own is not None and piece.start() + own.start(1) == start + 1:
            return (start + 1, piece.start() + own.end(1), "")
        return (start, fault.end(), " -")
    return None
