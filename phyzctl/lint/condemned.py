"""One mistake makes one Issue: what an error has condemned isn't judged again."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Mapping

from phyzctl.formats.xmltree import Document, Node
from phyzctl.issues import Issue, Severity, Source
from phyzctl.lint.locate import Place


class Condemned:
    """The places that carry an error.

    A finding is idle when one of these carries an error already: its element as a whole (or its
    `type`); the attribute or the missing child it points at; the child element it points at,
    anywhere in it; or an element on the way there. An error on another attribute of the element
    itself says nothing about the rest: in MJCF all that is said of a joint are its attributes.
    """

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._documents = documents
        self._offsets: dict[str, list[int]] = {}
        self._owners: set[tuple[str, int]] = set()
        self._missing: set[tuple[str, int, tuple[str, ...]]] = set()

    def add(self, issue: Issue) -> None:
        """Remember the place of an Issue of error severity."""
        source = issue.source
        if issue.severity is Severity.ERROR and source is not None:
            self._add_source(source)

    def add_place(self, place: Place) -> None:
        """Remember the place of a rule's error."""
        if place.missing:
            self._missing.add(_missing_key(place))
        else:
            self._add_source(place.source)

    def covers(self, place: Place) -> bool:
        """True when what a finding at `place` says is likely a consequence of an earlier error."""
        element, *below = place.chain
        if self._judged(element) or (place.missing and _missing_key(place) in self._missing):
            return True
        if any(_key(node) in self._owners for node in below):
            return True
        if below:
            return not place.missing and self._within(place.node)
        return place.attribute is not None and self._at_source(place.source)

    def _add_source(self, source: Source) -> None:
        document = self._documents.get(source.path)
        if document is None or source.offset is None:
            return
        insort(self._offsets.setdefault(source.path, []), source.offset)
        node = document.node_at(source.offset)
        if node is not None:
            self._owners.add(_key(node))

    def _judged(self, node: Node) -> bool:
        """True when an error stands on the element itself, or on the word that says what it is."""
        if _key(node) not in self._owners:
            return False
        return self._at_source(node.source) or self._at_source(node.attribute_source("type"))

    def _at_source(self, source: Source) -> bool:
        offset = source.offset
        return offset is not None and self._holds(source.path, offset, offset + 1)

    def _within(self, node: Node) -> bool:
        return self._holds(node.document.path, node.offset, node.end)

    def _holds(self, path: str, start: int, end: int) -> bool:
        offsets = self._offsets.get(path, [])
        index = bisect_left(offsets, start)
        return index < len(offsets) and offsets[index] < end


def _key(node: Node) -> tuple[str, int]:
    return node.document.path, node.offset


def _missing_key(place: Place) -> tuple[str, int, tuple[str, ...]]:
    return (*_key(place.node), place.missing)
