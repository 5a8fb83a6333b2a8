"""The rules, one module each, found by looking into this folder.

A module states `CODE` and either `check(context)`, which yields Findings, or `REPORTED_BY`
("reader" or "builder") when the code is reported elsewhere and the module only explains it.
See `phyzctl.lint.rule` for what else it may state.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from types import MappingProxyType, ModuleType

from phyzctl.lint.rule import Rule, rule_of


@cache
def all_rules() -> MappingProxyType[str, Rule]:
    """Every rule by the id of its code, in the order of ids."""
    found = sorted((rule_of(module) for module in _modules()), key=lambda rule: rule.code.id)
    return MappingProxyType({rule.code.id: rule for rule in found})


def _modules() -> Iterator[ModuleType]:
    for info in pkgutil.iter_modules(__path__):
        yield importlib.import_module(f"{__name__}.{info.name}")
