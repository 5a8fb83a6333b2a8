"""Which codes count: selection by code, prefix or name, as the configuration has it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from phyzctl.codes import PACKAGE_NOT_FOUND
from phyzctl.config import TARGETS, unknown_target
from phyzctl.errors import PhyzctlError, did_you_mean
from phyzctl.issues import Code, Severity
from phyzctl.lint.rule import Rule

if TYPE_CHECKING:
    from phyzctl.config import Config

_PREFIX = re.compile(r"[A-Z][0-9]{0,3}")


class Selection:
    """The codes that a configuration selects, and the severities it gives them.

    `select` replaces the default set, `extend_select` adds to it, `ignore` takes away. Where
    `select` or `extend_select` and `ignore` speak of the same code, the longer selector wins.
    A target turns the rules on that are about it, and raises the severities of some others.
    Raises `PhyzctlError` for a selector that means no rule, and for a target that is none.
    """

    def __init__(self, config: Config, rules: Mapping[str, Rule]) -> None:
        self._rules = rules
        self._costs = {"static", "mesh"} if config.meshes else {"static"}
        if config.deep:
            self._costs |= {"sweep", "run", *(("surface",) if config.meshes else ())}
        self._pedantic = config.pedantic
        self._strict = config.strict_assets
        self._targets = frozenset(config.target)
        for name in config.target:
            if name not in TARGETS:
                raise PhyzctlError(unknown_target(name))
        self._replaces = bool(config.select)
        self._wanted = _resolve((*config.select, *config.extend_select), rules)
        self._unwanted = _resolve(config.ignore, rules)
        self._severity = {
            code: severity
            for selector, severity in sorted(config.severity.items(), key=lambda i: len(i[0]))
            for code in _resolve([selector], rules)
        }

    def takes(self, code: Code, severity: Severity | None = None) -> bool:
        """True when Issues of that code are wanted; an error needs no pedantry to be."""
        wanted, unwanted = self._wanted.get(code.id, 0), self._unwanted.get(code.id, 0)
        if wanted:
            return unwanted < wanted
        on = self._default_on(code) or severity is Severity.ERROR
        return on and not self._replaces and not unwanted

    def runs(self, rule: Rule, dialect: str | None, *, srdf: bool = False) -> bool:
        """True when the rule's check is to be run on a description of that dialect, or an SRDF."""
        applies = rule.judges_srdf if srdf else dialect is None or dialect in rule.formats
        return rule.check is not None and applies and self.looks_for(rule)

    def looks_for(self, rule: Rule) -> bool:
        """True when this run could report that code on some description."""
        return self.takes(rule.code) and rule.cost in self._costs

    def severity(self, code: Code, default: Severity) -> Severity:
        """The configured severity of a code, else its own as the targets raise it.

        With strict assets a lost package is an error.
        """
        lost = code.id == PACKAGE_NOT_FOUND.id and default is Severity.WARNING
        if lost and self._strict:
            default = Severity.ERROR
        rule = self._rules.get(code.id)
        raised = rule.raised if rule is not None else {}
        least = [severity for name, severity in raised.items() if name in self._targets]
        return self._severity.get(code.id, max([default, *least]))

    def _default_on(self, code: Code) -> bool:
        rule = self._rules.get(code.id)
        if rule is None or rule.default_on or rule.targets & self._targets:
            return True
        return self._pedantic and not rule.targets


def matching(selector: str, rules: Mapping[str, Rule]) -> list[str]:
    """The ids that a selector means: an id (`J201`), a prefix (`J2`, `J`) or a name."""
    if _PREFIX.fullmatch(selector):
        return [code for code in rules if code.startswith(selector)]
    return [code for code, rule in rules.items() if rule.code.name == selector]


def _resolve(selectors: Iterable[str], rules: Mapping[str, Rule]) -> dict[str, int]:
    """Ids with the weight of the most exact selector that means them."""
    weights: dict[str, int] = {}
    for selector in selectors:
        ids = matching(selector, rules)
        if not ids:
            raise PhyzctlError(_unknown(selector, rules))
        weight = len(selector) if _PREFIX.fullmatch(selector) else 4
        for code in ids:
            weights[code] = max(weight, weights.get(code, 0))
    return weights


def _unknown(selector: str, rules: Mapping[str, Rule]) -> str:
    names = [*rules, *(rule.code.name for rule in rules.values())]
    families = ", ".join(sorted({code[0] for code in rules}))
    hint = did_you_mean(selector, names) or did_you_mean(selector.upper(), names)
    return (
        f"no rule is called {selector!r}{hint or f'; families are {families}'}"
        " (a selector is a code, the beginning of one, or a name)"
    )
