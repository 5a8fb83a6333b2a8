"""What a grammar table says about attributes, children and elements; see `grammar` for its form."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from functools import cached_property

from phyzctl.issues import Severity
from phyzctl.records import dataclass

FREE = "free"
SEVERITIES = {severity.label: severity for severity in Severity}


@dataclass(frozen=True)
class AttributeRule:
    """What a table says about one attribute."""

    required: bool = False
    since: str | None = None
    deprecated: bool = False
    insert: str | None = None
    severity: Severity | None = None


@dataclass(frozen=True)
class ChildRule:
    """What a table says about one child: how often it can stand there, and its element type."""

    type: str
    required: bool
    repeatable: bool
    severity: Severity | None = None


@dataclass(frozen=True)
class ElementRule:
    """What a table says about one element type."""

    attributes: Mapping[str, AttributeRule]
    children: Mapping[str, ChildRule]
    text: bool = False
    open: bool = False
    single: bool = False

    @cached_property
    def needed_attributes(self) -> Mapping[str, AttributeRule]:
        """The attributes that must be there."""
        return {name: rule for name, rule in self.attributes.items() if rule.required}

    @cached_property
    def needed_children(self) -> Mapping[str, ChildRule]:
        """The children that must be there."""
        return {tag: rule for tag, rule in self.children.items() if rule.required}


def attribute_rule(text: str) -> AttributeRule:
    """Read the words behind an attribute's name."""
    words = text.split()
    pairs = dict(itertools.pairwise(words))
    return AttributeRule(
        required="!" in words,
        since=pairs.get("since"),
        deprecated="deprecated" in words,
        insert=pairs.get("insert"),
        severity=next((SEVERITIES[word] for word in words if word in SEVERITIES), None),
    )


def child_rules(table: Mapping[str, str]) -> dict[str, ChildRule]:
    """Read the words behind the tags of an element's children."""
    return {tag: _child(tag, text) for tag, text in table.items()}


def _child(tag: str, text: str) -> ChildRule:
    count, *words = text.split()
    severity = next((SEVERITIES[word] for word in words if word in SEVERITIES), None)
    kind = next((word for word in words if word not in SEVERITIES), tag)
    return ChildRule(kind, count in "!+", count in "*+", severity)
