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
    table = _table()
    for node, kind in _typed(root):
        types = table["values"].get(kind, {})
        for name in node.attributes:
            if name in types:
                _check_value(node, name, types[name], issues)
        for rule in table["constraints"].get(kind, ()):
            _check_rule(node, rule.split(), issues)


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


def _check_value(node: Node, name: str, type_: str, issues: Issues) -> None:
    what, *rest = type_.split()
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


def _check_rule(node: Node, rule: Sequence[str], issues: Issues) -> None:
    kind, *bundles = rule
    written = [bundle for bundle in bundles if _complete(node, bundle)]
    partly = [bundle for bundle in bundles if _begun(node, bundle)]
    if kind == "exclusive" and len(partly) > 1:
        names = [_written_of(node, bundle) for bundle in partly]
        message = f"<{node.tag}> takes only one of {' and '.join(names)}"
        _report(node, names[-1].split(" ")[0], codes.ELEMENT_REPEATED, message, issues)
    elif kind == "oneof" and not written:
        choices = " or ".join(bundle.replace("+", " with ") for bundle in bundles)
        message = f"<{node.tag}> needs {choices}"
        _report(node, "", codes.REQUIRED_MISSING, message, issues)
    elif kind in ("together", "requires") and 0 < len(written) < len(bundles):
        if kind == "requires" and bundles[0] not in written:
            return
        lacking = next(bundle for bundle in bundles if bundle not in written)
        message = f"<{node.tag}> with {written[0]} needs {lacking} as well"
        _report(node, written[0], codes.REQUIRED_MISSING, message, issues)


def _complete(node: Node, bundle: str) -> bool:
    return all(name in node.attributes for name in bundle.split("+"))


def _begun(node: Node, bundle: str) -> bool:
    return any(name in node.attributes for name in bundle.split("+"))


def _written_of(node: Node, bundle: str) -> str:
    return " with ".join(name for name in bundle.split("+") if name in node.attributes)


def _report(node: Node, name: str, code: Code, message: str, issues: Issues) -> None:
    source = node.attribute_source(name)
    issues.add(code, message, source=source, subject=node.subject)
