"""Issues that a comment in the file calls intended.

`<!-- phyzctl: ignore[I101, J2] why -->` speaks of what stands on its line, of the element that
it stands before or behind, and of the one around it: as a whole when it comes first or last in
there. `ignore-file[...]` speaks of the whole file. Elements of the same tag inside (an MJCF body
in a body) are not meant. A comment that suppresses nothing is reported (X090).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from phyzctl.errors import Suggester
from phyzctl.formats.xmlnode import Comment
from phyzctl.formats.xmltree import Document, Node
from phyzctl.issues import Code, Issue, Severity
from phyzctl.lint.rule import Rule
from phyzctl.lint.select import Selection, matching
from phyzctl.records import dataclass

SUPPRESSION_UNUSED = Code("X090", "suppression-unused", Severity.INFO)

_COMMENT = re.compile(r"\s*phyzctl:\s*(ignore|ignore-file)\s*\[([^\]]*)\]")
_LIKE_ONE = re.compile(r"\s*phyzctl:")


class Suppressions:
    """The suppressing comments of some documents; remembers which of them were of use."""

    def __init__(self, documents: Mapping[str, Document], rules: Mapping[str, Rule]) -> None:
        self._documents = documents
        self._rules = rules
        meant = _Meant(rules)
        self._marks = [
            _mark(comment, path, meant)
            for path, document in documents.items()
            for comment in document.comments
            if _LIKE_ONE.match(comment.text)
        ]
        self._codes: dict[_Reach, set[str]] = {}
        for mark in self._marks:
            for reach in mark.reaches:
                self._codes.setdefault(reach, set()).update(mark.codes)
        self._used: set[tuple[_Reach, str]] = set()

    def cover(self, issue: Issue) -> bool:
        """True when a comment suppresses this Issue."""
        source = issue.source
        if not self._marks or source is None or source.path not in self._documents:
            return False
        if issue.code == SUPPRESSION_UNUSED:
            return False
        document = self._documents[source.path]
        node = None if source.offset is None else document.node_at(source.offset)
        if node is not None and node.origin is not None:
            node = node.origin  # comments stand in the file that people wrote
        code = issue.code.id
        spoken_of = [
            reach
            for reach in _reaching(source.path, source.line, node)
            if code in self._codes.get(reach, ())
        ]
        self._used.update((reach, code) for reach in spoken_of)
        return bool(spoken_of)

    def unused(self, selection: Selection) -> Iterator[Issue]:
        """An Issue for every comment, or part of one, that suppresses nothing.

        Codes that this run doesn't look for are not called unused.
        """
        suggester = Suggester()
        for mark in self._marks:
            for message in self._complaints(mark, selection, suggester):
                source = mark.comment.document.source(mark.comment.offset)
                yield Issue(SUPPRESSION_UNUSED, SUPPRESSION_UNUSED.severity, message, source)

    def _complaints(self, mark: _Mark, selection: Selection, suggester: Suggester) -> Iterator[str]:
        if not mark.selectors:
            yield "the comment names no rule; write <!-- phyzctl: ignore[CODE] reason -->"
        for selector, ids in mark.selectors.items():
            if not ids:
                names = [*self._rules, *(rule.code.name for rule in self._rules.values())]
                hint = suggester.did_you_mean(selector, names)
                yield f"no rule is called {selector!r}{hint}"
            elif not self._is_used(mark, ids) and self._looks_for(ids, selection):
                yield f"ignore[{selector}] suppresses nothing here; remove it"

    def _is_used(self, mark: _Mark, ids: Iterable[str]) -> bool:
        return any((reach, code) in self._used for code in ids for reach in mark.reaches)

    def _looks_for(self, ids: Iterable[str], selection: Selection) -> bool:
        return any(selection.looks_for(self._rules[code]) for code in ids)


class _Reach(NamedTuple):
    """What a comment speaks of: a line, an element, what an element holds, or a whole file."""

    what: str
    path: str = ""
    of: int = 0


@dataclass(frozen=True)
class _Mark:
    """One comment: the selectors it names with the codes they mean, and how far it reaches."""

    comment: Comment
    selectors: Mapping[str, frozenset[str]]
    reaches: tuple[_Reach, ...]

    @property
    def codes(self) -> frozenset[str]:
        return frozenset().union(*self.selectors.values())


class _Meant(dict[str, frozenset[str]]):
    """The codes that a selector means, looked up once."""

    def __init__(self, rules: Mapping[str, Rule]) -> None:
        super().__init__()
        self._rules = rules

    def __missing__(self, selector: str) -> frozenset[str]:
        self[selector] = frozenset(matching(selector, self._rules))
        return self[selector]


def _mark(comment: Comment, path: str, meant: _Meant) -> _Mark:
    match = _COMMENT.match(comment.text)
    if match is None:
        return _Mark(comment, {}, ())
    selectors = [part.strip() for part in match[2].split(",") if part.strip()]
    codes = {selector: meant[selector] for selector in selectors}
    if match[1] == "ignore-file":
        return _Mark(comment, codes, (_Reach("file", path),))
    return _Mark(comment, codes, (_Reach("line", path, comment.line), *_elements(comment)))


def _elements(comment: Comment) -> Iterator[_Reach]:
    neighbour = _neighbour(comment)
    if neighbour is not None:
        yield _Reach("inside", of=id(neighbour))
    yield from _parent(comment)


def _reaching(path: str, line: int | None, node: Node | None) -> Iterator[_Reach]:
    """All that a comment can speak of to mean what stands on `line`, at `node`.

    A comment about an element doesn't mean elements of the same tag inside.
    """
    yield _Reach("file", path)
    if line is not None:
        yield _Reach("line", path, line)
    if node is not None:
        yield _Reach("itself", of=id(node))
    inner: set[str] = set()
    while node is not None:
        if node.tag not in inner:
            yield _Reach("inside", of=id(node))
        inner.add(node.tag)
        node = node.parent


def _neighbour(comment: Comment) -> Node | None:
    """The element that the comment stands behind, on its last line, or else the one it precedes."""
    earlier = _earlier(comment)
    if earlier is not None and comment.document.source(earlier.end - 1).line == comment.line:
        return earlier
    return comment.following


def _parent(comment: Comment) -> Iterator[_Reach]:
    """The element around the comment, when it is said of that.

    First or last in there it means the whole of it, between others only the start tag. The root
    and its sections, which hold everything of one kind, are never meant.
    """
    parent = comment.parent
    root = comment.document.root
    if parent is None or parent is root or (parent.parent is root and not parent.get("name")):
        return
    whole = comment.following is None or _earlier(comment) is None
    yield _Reach("inside" if whole else "itself", of=id(parent))


def _earlier(comment: Comment) -> Node | None:
    """The last element before a comment, within the same parent."""
    siblings = [] if comment.parent is None else comment.parent.children
    before = bisect_right(siblings, comment.offset, key=lambda child: child.end)
    return siblings[before - 1] if before else None
