"""Suggested pairs as MJCF excludes: as text to include, or into a file that is there.

A line of our own is known by its name, `phyzctl:` and the bodies. Such lines may go or stay as
the facts change; all else in the file stays byte by byte.
"""

from __future__ import annotations

from collections.abc import Sequence

from phyzctl.exclude.facts import PairFacts
from phyzctl.exclude.wording import evidence
from phyzctl.formats.xmledits import (
    Edit,
    applied,
    escaped,
    insert_after,
    insert_at_end,
    remove_element,
)
from phyzctl.formats.xmltree import Document, Node

OWN = "phyzctl:"


def mjcf_text(suggested: Sequence[tuple[PairFacts, str]]) -> str:
    """A file to `<include>`, each pair with its evidence in a comment."""
    lines = []
    for facts, label in suggested:
        comment = f"{label}: {evidence(facts)}".replace("--", "- -")
        lines += [f"    <!-- {comment} -->\n", f"    {exclude_element(*facts.names)}\n"]
    inside = "".join(lines)
    return f"<mujocoinclude>\n  <contact>\n{inside}  </contact>\n</mujocoinclude>\n"


def is_own(name: str | None) -> bool:
    """True for the name of an exclude that phyzctl wrote."""
    return name is not None and name.startswith(OWN)


def rewritten_mjcf(document: Document, pairs: Sequence[tuple[str, str]]) -> bytes:
    """The file's bytes after the excludes of our own have become `pairs`, in the least change.

    `pairs` must not have those that a line by another hand excludes. Raises PhyzctlError where
    the file can't be edited.
    """
    wanted = {frozenset(pair): pair for pair in pairs}
    edits: list[Edit] = []
    for node in _excludes(document):
        pair = frozenset((node.get("body1") or "", node.get("body2") or ""))
        if is_own(node.get("name")) and wanted.pop(pair, None) is None:
            edits.append(remove_element(node))
    added = [exclude_element(*pair, own=True) for pair in wanted.values()]
    return applied(document, [*edits, *_insertion(document, added)])


def exclude_element(first: str, second: str, *, own: bool = False) -> str:
    """One exclude; `own` ones get the name by which they are known again."""
    name = f'name="{escaped(f"{OWN}{first}:{second}")}" ' if own else ""
    return f'<exclude {name}body1="{escaped(first)}" body2="{escaped(second)}"/>'


def _contacts(document: Document) -> list[Node]:
    return document.root.findall("contact") if document.root is not None else []


def _excludes(document: Document) -> list[Node]:
    return [node for contact in _contacts(document) for node in contact.findall("exclude")]


def _insertion(document: Document, elements: Sequence[str]) -> list[Edit]:
    """New lines stand behind the last exclude, else in the last `<contact>`, else in a new one."""
    if not elements or document.root is None:
        return []
    known = _excludes(document)
    if known:
        return [insert_after(known[-1], *elements)]
    filled = [contact for contact in _contacts(document) if contact.children]
    if filled:
        return [insert_after(filled[-1].children[-1], *elements)]
    lines = [f"    {element}" for element in elements]
    return [insert_at_end(document.root, "  <contact>", *lines, "  </contact>")]
