"""The rules that lint checks, one module each, found by looking into this folder.

A module states `CODE` and `check(context)`, which yields Findings; see `phyzctl.lint.rule` for
what else it may state. It is named by the id and the name of its code.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache

from phyzctl.lint import reported
from phyzctl.lint.rule import Rule, rule_of


@cache
def all_rules() -> Mapping[str, Rule]:
    """Every rule by the id of its code, in the order of ids; also those that only explain."""
    return _Rules({**_modules(reported.__name__, reported.__path__), **_checked()})


@cache
def checked_rules() -> tuple[Rule, ...]:
    """The rules that lint checks, in the order of ids."""
    return tuple(all_rules()[code] for code in sorted(_checked()))


class _Rules(Mapping[str, Rule]):
    """Rules whose modules are imported when they are asked for: most never are."""

    def __init__(self, modules: Mapping[str, str]) -> None:
        self._modules = modules
        self._rules: dict[str, Rule] = {}

    def __getitem__(self, code: str) -> Rule:
        if code not in self._rules:
            self._rules[code] = rule_of(importlib.import_module(self._modules[code]))
        return self._rules[code]

    def __contains__(self, code: object) -> bool:
        return code in self._modules

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._modules))

    def __len__(self) -> int:
        return len(self._modules)


def _checked() -> dict[str, str]:
    return _modules(__name__, __path__)


def _modules(package: str, path: list[str]) -> dict[str, str]:
    """The full names of the modules in a package, by the ids with which their names begin."""
    names = (info.name for info in pkgutil.iter_modules(path))
    return {name.partition("_")[0].upper(): f"{package}.{name}" for name in names}
