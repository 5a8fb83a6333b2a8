"""Every attribute of a description, mutated one at a time, and who says so.

A mutation that changes whether `validate` fails must be told of where it was made: by an error on
a line of that element's start tag, or of that of the visual, collision or inertial it is in; by
one that says such a line is `related`; or, where a name was changed, by one on what refers to
it, that quotes the name. What a default class states is told at the elements that inherit it, and
the unit of angles at those that are off by it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from phyzctl.config import Config
from phyzctl.formats import read_bytes
from phyzctl.formats.xmlnode import Node
from phyzctl.formats.xmltree import parse
from phyzctl.issues import Issue, Issues, Source
from phyzctl.lint.engine import lint

_PARTS = frozenset({"geometry", "visual", "collision", "inertial"})
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def _scaled(factor: float) -> Callable[[str], str]:
    def change(text: str) -> str:
        words = [_number(word, factor) for word in text.split()]
        return " ".join(words)

    return change


def _number(word: str, factor: float) -> str:
    return repr(float(word) * factor) if _NUMBER.fullmatch(word) else word


def _first_nan(text: str) -> str:
    return " ".join(["nan", *text.split()[1:]])


VALUES: dict[str, Callable[[str], str]] = {
    "empty": lambda _: "",
    "nan": _first_nan,
    "word": lambda _: "garbage",
    "negated": _scaled(-1.0),
    "x1000": _scaled(1000.0),
    "dangling": lambda text: text + "_gone",
}
KINDS = ("deleted", "renamed", *VALUES)


@dataclass(frozen=True)
class Mutation:
    """One attribute of one element, changed in one way."""

    kind: str
    tag: str
    attribute: str
    before: str
    after: str
    lines: list[int]
    data: bytes
    inherited: bool

    def __str__(self) -> str:
        return f"line {self.lines[0]}: <{self.tag} {self.attribute}={self.before!r}> {self.kind}"


def mutations(path: Path) -> Iterator[Mutation]:
    """All of one file, element by element."""
    data = path.read_bytes()
    document = parse(data, str(path), Issues())
    if document.root is None:
        raise ValueError(f"{path} can't be read")
    for node in document.root.iter():
        for name in node.attributes:
            yield from _of_attribute(node, name, data)


def _of_attribute(node: Node, name: str, data: bytes) -> Iterator[Mutation]:
    span, named = node.attribute_span(name), node.name_span(name)
    if span is None or named is None:
        return
    before = data[span[0] : span[1]].decode()
    last = node.document.source(node.insertion_offset).line or node.line
    inherited = node.parent is not None and node.parent.tag == "default"
    lines = [*range(node.line, last + 1), *_parts_around(node)]

    def mutated(kind: str, start: int, end: int, after: str) -> Mutation:
        changed = data[:start] + after.encode() + data[end:]
        return Mutation(kind, node.tag, name, before, after, lines, changed, inherited)

    yield mutated("deleted", named[0], span[1] + 1, "")
    yield mutated("renamed", *named, f"x{name}x")
    for kind, change in VALUES.items():
        after = change(before)
        if after != before:
            yield mutated(kind, *span, after)


def errors(data: bytes, path: Path) -> list[Issue]:
    """The Issues for which `validate` fails."""
    issues = Issues()
    reading = read_bytes(data, str(path), issues)
    return [issue for issue in lint(reading, issues, Config()) if issue.fatal]


def is_told(mutation: Mutation, found: list[Issue]) -> bool:
    """True when one of the errors points at the mutated attribute or element, or names it."""
    told = (_points_at, _names, _inherits)
    return any(is_it(mutation, issue) for issue in found for is_it in told)


def _points_at(mutation: Mutation, issue: Issue) -> bool:
    places = [issue.source, *(related.source for related in issue.related)]
    return any(_within(place, mutation.lines) for place in places)


def _parts_around(node: Node) -> Iterator[int]:
    parent = node.parent
    while parent is not None and parent.tag in _PARTS:
        yield parent.line
        parent = parent.parent


def _within(place: Source | None, lines: list[int]) -> bool:
    return place is not None and place.line in lines


def _inherits(mutation: Mutation, issue: Issue) -> bool:
    """True when the error stands on what inherits the attribute, or has the wrong unit by it."""
    if (mutation.tag, mutation.attribute) == ("compiler", "angle"):
        return issue.code.id in {"M010", "M011"}
    path = issue.source.element if mutation.inherited and issue.source is not None else None
    return path is not None and path.rpartition("/")[2].partition("[")[0] == mutation.tag


def _names(mutation: Mutation, issue: Issue) -> bool:
    """True when the error quotes the name that is gone or new."""
    if not mutation.before or mutation.attribute not in {"name", "class"}:
        return False
    names = {mutation.before, mutation.after} - {""}
    return any(f"'{name}'" in issue.message for name in names)
