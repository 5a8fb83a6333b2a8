"""Issues that a comment in the file calls intended.

`<!-- phyzctl: ignore[I101, J2] why -->` speaks of what stands on its line, of the element that
it stands before or behind, and of the one around it: as a whole when it comes first or last in
there. `ignore-file[...]` speaks of the whole file. Elements of the same tag inside (an MJCF body
in a body) are not meant. A comment that suppresses nothing is reported (X090).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from phyzctl.errors import did_you_mean
from phyzctl.formats.xmlnode import Comment
from phyzctl.formats.xmltree import Document, Node
from phyzctl.issues import Code, Issue, Severity
from phyzctl.lint.rule import Rule
from phyzctl.lint.select import Selection, matching

SUPPRESSION_UNUSED = Code("X090", "suppression-unused", Severity.INFO)

_COMMENT = re.compile(r"\s*phyzctl:\s*(ignore|ignore-file)\s*\[([^\]]*)\]")
_LIKE_ONE = re.compile(r"\s*phyzctl:")


class Suppressions:
    """The suppressing comments of some documents; remembers which of them were of use."""

    def __init__(self, documents: Mapping[str, Document], rules: Mapping[str, Rule]) -> None:
        self._documents = documents
        self._rules = rules
        self._marks = {
            path: marks
            for path, document in documents.items()
            if (marks := [_mark(comment, rules) for comment in _candidates(document)])
        }

    def cover(self, issue: Issue) -> bool:
        """True when a comment suppresses this Issue."""
        source = issue.source
        if source is None or source.path not in self._marks or issue.code == SUPPRESSION_UNUSED:
            return False
        document = self._documents[source.path]
        node = None if source.offset is None else document.node_at(source.offset)
        if node is not None and node.origin is not None:
            node = node.origin  # comments stand in the file that people wrote
        covered = False
        for mark in self._marks[source.path]:
            if issue.code.id in mark.codes and _speaks_of(mark, node, source.line):
                mark.used.add(issue.code.id)
                covered = True
        return covered

    def unused(self, selection: Selection) -> Iterator[Issue]:
        """An Issue for every comment, or part of one, that suppresses nothing.

        Codes that this run doesn't look for are not called unused.
        """
        for marks in self._marks.values():
            for mark in marks:
                for message in _complaints(mark, self._rules, selection):
                    source = mark.comment.document.source(mark.comment.offset)
                    yield Issue(SUPPRESSION_UNUSED, SUPPRESSION_UNUSED.severity, message, source)


@dataclass
class _Mark:
    """One comment: the selectors it names, the codes they mean, and those that were of use."""

    comment: Comment
    selectors: tuple[str, ...]
    codes: frozenset[str]
    whole_file: bool = False
    used: set[str] = field(default_factory=set)


def _candidates(document: Document) -> list[Comment]:
    return [comment for comment in document.comments if _LIKE_ONE.match(comment.text)]


def _mark(comment: Comment, rules: Mapping[str, Rule]) -> _Mark:
    match = _COMMENT.match(comment.text)
    if match is None:
        return _Mark(comment, (), frozenset())
    selectors = tuple(part.strip() for part in match[2].split(",") if part.strip())
    meant = frozenset(code for selector in selectors for code in matching(selector, rules))
    return _Mark(comment, selectors, meant, whole_file=match[1] == "ignore-file")


def _complaints(mark: _Mark, rules: Mapping[str, Rule], selection: Selection) -> Iterator[str]:
    if not mark.selectors:
        yield "the comment names no rule; write <!-- phyzctl: ignore[CODE] reason -->"
    for selector in mark.selectors:
        ids = matching(selector, rules)
        if not ids:
            names = [*rules, *(rule.code.name for rule in rules.values())]
            yield f"no rule is called {selector!r}{did_you_mean(selector, names)}"
        elif not mark.used & set(ids) and any(selection.looks_for(rules[code]) for code in ids):
            yield f"ignore[{selector}] suppresses nothing here; remove it"


def _speaks_of(mark: _Mark, node: Node | None, line: int | None) -> bool:
    """True when a comment means what stands at `node`, on `line`."""
    comment = mark.comment
    if mark.whole_file or line == comment.line:
        return True
    return _holds(_neighbour(comment), node) or _means_parent(comment, node)


def _neighbour(comment: Comment) -> Node | None:
    """The element that the comment stands behind, on its last line, or else the one it precedes."""
    earlier = _earlier(comment)
    if earlier and comment.document.source(earlier[-1].end - 1).line == comment.line:
        return earlier[-1]
    return comment.following


def _means_parent(comment: Comment, node: Node | None) -> bool:
    """True when the comment is said of the element around it.

    First or last in there it means the whole of it, between others only the start tag. The root
    and its sections, which hold everything of one kind, are never meant.
    """
    parent = comment.parent
    root = comment.document.root
    if parent is None or parent is root or (parent.parent is root and not parent.get("name")):
        return False
    whole = comment.following is None or not _earlier(comment)
    return node is parent or (whole and _holds(parent, node))


def _earlier(comment: Comment) -> list[Node]:
    """The elements before a comment, within the same parent."""
    siblings = [] if comment.parent is None else comment.parent.children
    return [child for child in siblings if child.end <= comment.offset]


def _holds(element: Node | None, node: Node | None) -> bool:
    """True when `node` stands in `element` and in no element of the same tag below that."""
    if element is None:
        return False
    while node is not None and node is not element:
        if node.tag == element.tag:
            return False
        node = node.parent
    return node is element
