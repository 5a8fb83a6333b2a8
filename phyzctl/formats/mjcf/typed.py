"""The check of every value against the type that `grammar.json` gives it, and of rules on several.

It runs once over a tree, so that readers can ask for values without reporting anything again.
A type is one of `number`, `integer` (with a count: `3`, `1 3` for one to three, `*` for any),
`boolean`, `one of WORDS` and `some of WORDS`; what has no type is text.
Rules: `exclusive A B` at most one, `together A B` all or none, `oneof A B` at least one;
`A+B` stands for both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from phyzctl import codes
from phyzctl.formats import values
from phyzctl.formats.grammar import FREE, Grammar, table_of
from phyzctl.formats.values import Count
from phyzctl.formats.xmlnode import Document, Node
from phyzctl.issues import Code, Issues

Bundle = tuple[str, ...]
"""Attributes that stand for one choice together."""
_WITH = " with ".join


@cache
def _table() -> Mapping[str, Any]:
    return table_of("mjcf")


@cache
def grammar() -> Grammar:
    """MJCF's elements and attributes."""
    return Grammar(_table())


def check(document: Document, root: Node, issues: Issues) -> None:
    """Report unknown names, unreadable values and broken rules in the tree below `root`."""
    grammar().check(document, issues, root)
    values_of = _table()["values"]
    for node, kind in _typed(root):
        types = values_of.get(kind, {})
        for name in node.attributes:
            if name in types:
                _check_value(node, name, _words(types[name]), issues)
        for rule, bundles in _rules(kind):
            _check_rule(node, rule, bundles, issues)


@cache
def _words(type_: str) -> tuple[str, ...]:
    return tuple(type_.split())


@cache
def _rules(kind: str) -> tuple[tuple[str, tuple[Bundle, ...]], ...]:
    """The rules on several attributes of an element type: each rule's word, and its bundles."""
    rules = (rule.split() for rule in _table()["constraints"].get(kind, ()))
    return tuple((word, tuple(tuple(each.split("+")) for each in rest)) for word, *rest in rules)


def _typed(root: Node) -> Iterator[tuple[Node, str]]:
    """Every known element with its type."""
    waiting = [(root, grammar().roots[root.tag])]
    while waiting:
        node, kind = waiting.pop()
        yield node, kind
        children = grammar().rule(kind).children
        for child in reversed(node.children):
            rule = children.get(child.tag)
            if rule is not None and rule.type != FREE:
                waiting.append((child, rule.type))


def _check_value(node: Node, name: str, type_: Sequence[str], issues: Issues) -> None:
    what, *rest = type_
    if what == "number":
        values.numbers(node, name, issues, count=_count(rest))
    elif what == "integer":
        values.integers(node, name, issues, count=_count(rest))
    elif what == "boolean":
        values.keyword(node, name, issues, ("true", "false"))
    elif what == "one":
        values.keyword(node, name, issues, _table()["enums"][rest[1]])
    else:
        _check_words(node, name, _table()["enums"][rest[1]], issues)


def _count(words: Sequence[str]) -> Count:
    if words == ["*"]:
        return None
    if len(words) == 2:
        return int(words[0]), int(words[1])
    return int(words[0]) if words else 1


def _check_words(node: Node, name: str, allowed: Sequence[str], issues: Issues) -> None:
    unknown = [word for word in node.attributes[name].split() if word not in allowed]
    if unknown:
        message = f"{name} holds {unknown[0]!r}; it can hold {', '.join(allowed)}"
        _report(node, name, codes.KEYWORD_UNKNOWN, message, issues)


def _check_rule(node: Node, rule: str, bundles: Sequence[Bundle], issues: Issues) -> None:
    there = [[name for name in bundle if name in node.attributes] for bundle in bundles]
    written = [bundle for bundle in bundles if all(name in node.attributes for name in bundle)]
    partly = [names for names in there if names]
    if rule == "exclusive" and len(partly) > 1:
        message = f"<{node.tag}> takes only one of {' and '.join(map(_WITH, partly))}"
        _report(node, partly[-1][0], codes.ELEMENT_REPEATED, message, issues)
    elif rule == "oneof" and not written:
        message = f"<{node.tag}> needs {' or '.join(map(_WITH, bundles))}"
        _report(node, "", codes.REQUIRED_MISSING, message, issues)
    elif rule in ("together", "requires") and 0 < len(written) < len(bundles):
        if rule == "requires" and bundles[0] not in written:
            return
        lacking = next(bundle for bundle in bundles if bundle not in written)
        message = f"<{node.tag}> with {'+'.join(written[0])} needs {'+'.join(lacking)} as well"
        _report(node, "+".join(written[0]), codes.REQUIRED_MISSING, message, issues)


def _report(node: Node, name: str, code: Code, message: str, issues: Issues) -> None:
    source = node.attribute_source(name)
    issues.add(code, message, source=source, subject=node.subject)
