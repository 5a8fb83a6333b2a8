"""An SRDF file into `Srdf`; faults are Issues, and never stop the rest from being read."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from functools import cache

from phyzctl import codes, disk
from phyzctl.errors import NotFoundError, UnreadableError
from phyzctl.formats.grammar import Grammar
from phyzctl.formats.srdf.semantics import DisabledPair, GroupState, LinkPair, Srdf
from phyzctl.formats.xmltree import MAX_BYTES, Document, Node, parse
from phyzctl.issues import Issues, Source


@cache
def grammar() -> Grammar:
    """SRDF's elements and attributes."""
    return Grammar.load("srdf")


def read_srdf(path: str, issues: Issues) -> Srdf | None:
    """The SRDF at `path`, None when nothing of one could be read; faults go to `issues`.

    Raises `NotFoundError` when there is no such file, `UnreadableError` when it can't be read.
    """
    try:
        data = disk.read_bytes(path, MAX_BYTES + 1)
    except FileNotFoundError:
        raise NotFoundError(f"there is no file {path!r}") from None
    except OSError as error:
        raise UnreadableError(f"can't read {path!r}: {os.strerror(error.errno or 0)}") from None
    return parse_srdf(data, path, issues)


def parse_srdf(data: bytes, path: str, issues: Issues) -> Srdf | None:
    """An SRDF from memory; `path` names it in Sources."""
    document = parse(data, path, issues)
    root = document.root
    if root is None:
        return None
    if root.tag != "robot":
        message = f"the root element is <{root.tag}>, an SRDF starts with <robot>"
        issues.add(codes.ROOT_UNKNOWN, message, source=root.source)
        return None
    grammar().check(document, issues)
    return _collect(document, root, issues)


def _collect(document: Document, root: Node, issues: Issues) -> Srdf:
    disabled = tuple(
        DisabledPair(first, second, node.get("reason"), node)
        for node, first, second in _pairs(root, "disable_collisions")
    )
    return Srdf(
        name=root.get("name") or "",
        document=document,
        disabled=disabled,
        enabled=tuple(LinkPair(a, b) for _, a, b in _pairs(root, "enable_collisions")),
        unpaired=_named(root, "disable_default_collisions", "link"),
        passive_joints=_named(root, "passive_joint", "name"),
        states=tuple(_state(node, issues) for node in root.findall("group_state")),
    )


def _pairs(root: Node, tag: str) -> Iterator[tuple[Node, str, str]]:
    """Elements that name two links; what lacks one is an Issue of the grammar."""
    for node in root.findall(tag):
        first, second = node.get("link1"), node.get("link2")
        if first is not None and second is not None:
            yield node, first, second


def _named(root: Node, tag: str, attribute: str) -> tuple[str, ...]:
    names = (node.get(attribute) for node in root.findall(tag))
    return tuple(name for name in names if name is not None)


def _state(node: Node, issues: Issues) -> GroupState:
    joints = {}
    for child in node.findall("joint"):
        name, text = child.get("name"), child.get("value")
        value = _first_number(text, child.attribute_source("value"), issues)
        if name is not None and value is not None:
            joints[name] = value
    return GroupState(node.get("name") or "", node.get("group") or "", joints, node.source)


def _first_number(text: str | None, source: Source, issues: Issues) -> float | None:
    """The first of the numbers in `text`: joints of several freedoms have several."""
    if text is None or not text.strip():
        return None
    word = text.split()[0]
    try:
        value = float(word)
    except ValueError:
        issues.add(codes.NUMBER_UNREADABLE, f"{word[:40]!r} is not a number", source=source)
        return None
    if not math.isfinite(value):
        issues.add(codes.NUMBER_NOT_FINITE, f"{word[:40]!r} is not finite", source=source)
        return None
    return value
