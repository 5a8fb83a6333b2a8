"""The rules as `explain` and `rules` show them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from phyzctl.errors import NotFoundError, did_you_mean
from phyzctl.lint.engine import rules
from phyzctl.lint.rule import Rule
from phyzctl.lint.select import matching

SCHEMA = "phyzctl.rules/1"


def rules_named(selector: str) -> list[Rule]:
    """The rules that a code, a prefix or a name means, in the order of their codes."""
    catalogue = rules()
    found = matching(selector, catalogue) or matching(selector.upper(), catalogue)
    if not found:
        names = [*catalogue, *(rule.code.name for rule in catalogue.values())]
        near = did_you_mean(selector, names) or did_you_mean(selector.upper(), names)
        raise NotFoundError(f"there is no rule {selector!r}{near or '; `phyzctl rules` lists all'}")
    return [catalogue[code] for code in sorted(found)]


def rules_document(found: Iterable[Rule]) -> dict[str, Any]:
    """Rules as plain values, ready for JSON."""
    return {"schema": SCHEMA, "rules": [_rule(rule) for rule in found]}


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "code": rule.code.id,
        "name": rule.code.name,
        "severity": rule.code.severity.label,
        "summary": rule.docs.title,
        "formats": sorted(rule.formats),
        "targets": sorted(rule.targets),
        "raised": {name: severity.label for name, severity in sorted(rule.raised.items())},
        "cost": rule.cost,
        "default": rule.default_on,
        "tolerances": dict(rule.tolerances),
        "sections": dict(rule.docs.sections),
    }
