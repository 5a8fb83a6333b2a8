"""Pairs into an SRDF: a new file, or a given one with only its own lines changed.

Lines whose reason is one of `REASONS` are what sampling wrote and may rewrite. All else stays
byte by byte: comments, order, other elements, and the pairs that a person added.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from phyzctl.formats.srdf.semantics import REASONS, DisabledPair, Srdf
from phyzctl.formats.xmledits import (
    Edit,
    applied,
    escaped,
    insert_after,
    insert_at_end,
    remove_element,
    set_attribute,
)

Pairs = Mapping[tuple[str, str], str]  # links -> reason


def new_srdf(name: str, pairs: Pairs) -> str:
    """A file that disables `pairs` of the robot `name`."""
    lines = [f"  {_element(first, second, why)}" for (first, second), why in pairs.items()]
    start = f'<?xml version="1.0"?>\n<robot name="{escaped(name)}">\n'
    return "".join([start, *(f"{line}\n" for line in lines), "</robot>\n"])


def rewritten(srdf: Srdf, pairs: Pairs, *, keep: bool = False) -> bytes:
    """The file's bytes after its pairs have become `pairs`, in the least change.

    Pairs that stand there keep their line, whichever way round they are written; a reason that
    is wrong is corrected. With `keep` no line goes. Raises PhyzctlError where the file can't be
    edited.
    """
    wanted = {frozenset(pair): why for pair, why in pairs.items()}
    present = {pair.key for pair in srdf.disabled if pair.reason not in REASONS}
    edits: list[Edit] = []
    for pair in srdf.disabled:
        if pair.reason not in REASONS:
            continue
        if pair.key in present or (pair.key not in wanted and not keep):
            edits.append(remove_element(pair.node))
            continue
        present.add(pair.key)
        if wanted.get(pair.key, pair.written) != pair.written:
            edits.append(set_attribute(pair.node, "reason", wanted[pair.key]))
    added = [_element(*pair, why) for pair, why in pairs.items() if frozenset(pair) not in present]
    return applied(srdf.document, [*edits, *_insertions(srdf, added)])


def _insertions(srdf: Srdf, elements: list[str]) -> Iterable[Edit]:
    """New lines stand behind the last of their kind, else at the file's end."""
    root = srdf.document.root
    if not elements or root is None:
        return []
    last: DisabledPair | None = max(srdf.disabled, key=lambda pair: pair.node.end, default=None)
    if last is not None:
        return [insert_after(last.node, *elements)]
    return [insert_at_end(root, *(f"  {element}" for element in elements))]


def _element(first: str, second: str, why: str) -> str:
    links = f'link1="{escaped(first)}" link2="{escaped(second)}"'
    return f'<disable_collisions {links} reason="{escaped(why)}"/>'
