"""Issues that a comment in the file calls intended.

`<!-- phyzctl: ignore[I101, J2] why -->` speaks of the element it stands before, of what stands
on its own line, and of the named element it stands in; `ignore-file[...]` of the whole file.
Nested elements of the same tag (an MJCF body in a body) are not meant. A comment that
suppresses nothing is reported (X090).
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
    if mark.whole_file or line == mark.comment.line:
        return True
    return any(_holds(element, node) for element in _elements(mark.comment))


def _elements(comment: Comment) -> Iterator[Node]:
    """The elements that a comment speaks of: behind, before or around it."""
    before = _behind_on_its_line(comment)
    if before is not None:
        yield before
    elif comment.following is not None:
        yield comment.following
    parent = comment.parent
    if parent is not None and parent.parent is not None and _is_part(parent):
        yield parent


def _is_part(node: Node) -> bool:
    """False for the sections directly in the root, which hold everything of one kind."""
    return node.get("name") is not None or node.parent is not node.document.root


def _behind_on_its_line(comment: Comment) -> Node | None:
    """The last element that ends before the comment, on the comment's line."""
    if comment.parent is None:
        return None
    earlier = [child for child in comment.parent.children if child.end <= comment.offset]
    if not earlier:
        return None
    last_line = comment.document.source(earlier[-1].end - 1).line
    return earlier[-1] if last_line == comment.line else None


def _holds(element: Node, node: Node | None) -> bool:
    """True when `node` stands in `element` and in no element of the same tag below that."""
    while node is not None and node is not element:
        if node.tag == element.tag:
            return False
        node = node.parent
    return node is element
