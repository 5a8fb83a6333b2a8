"""Rule: what the engine knows of one module in `phyzctl.lint.rules` or `.reported`.

A rule's documentation is its module's docstring: a first line that names the fault, then the
headings *What it checks*, *Why it matters*, *Fix* and perhaps *Exceptions*, each on a line of
its own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from types import ModuleType

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.records import dataclass

HEADINGS = ("What it checks", "Why it matters", "Fix", "Exceptions")
COSTS = ("static", "mesh", "surface", "sweep", "run")
FORMATS = frozenset({"urdf", "mjcf", "srdf"})

CheckFunction = Callable[[Context], Iterator[Finding]]


@dataclass(frozen=True)
class Docs:
    """A rule's docstring, taken apart: its first line and the text below each heading."""

    title: str
    sections: Mapping[str, str]


@dataclass(frozen=True)
class Rule:
    """One rule: what it is called, where it applies, what it costs, and its check.

    `check` is None for a code that others report: `reported_by` says who, "reader", "builder",
    "model", "engine", "writer", "exclude", "scene", "sim" or "baseline".
    `default_on` is False for pedantic rules. `cost` is "static", "mesh" (opens mesh files),
    "surface" (looks at every face), "sweep" (samples configurations) or "run" (simulates).
    `targets` names the consumers that a rule is about; such a rule runs only for one of them, or
    when it is selected. `raised` gives the least severity of the rule's Issues for a consumer.
    `tolerances` are its configurable thresholds with their defaults.
    """

    code: Code
    module: str
    formats: frozenset[str] = FORMATS
    targets: frozenset[str] = frozenset()
    raised: Mapping[str, Severity] = field(default_factory=dict)
    cost: str = "static"
    default_on: bool = True
    reported_by: str | None = None
    check: CheckFunction | None = field(default=None, repr=False)
    tolerances: Mapping[str, float] = field(default_factory=dict)
    judges_srdf: bool = False

    @property
    def docs(self) -> Docs:
        """The rule's documentation."""
        return parse_docs(sys.modules[self.module].__doc__ or "")


def rule_of(module: ModuleType) -> Rule:
    """The Rule that a module states by its capitals."""
    stated = vars(module)
    targets = stated.get("TARGETS", frozenset())
    return Rule(
        code=stated["CODE"],
        module=module.__name__,
        formats=stated.get("FORMATS", FORMATS),
        targets=targets,
        raised=stated.get("RAISED", {}),
        cost=stated.get("COST", "static"),
        default_on=stated.get("DEFAULT", not targets),
        reported_by=stated.get("REPORTED_BY"),
        check=stated.get("check"),
        tolerances=stated.get("TOLERANCES", {}),
        judges_srdf="srdf" in stated.get("FORMATS", ()) and "check" in stated,
    )


def parse_docs(docstring: str) -> Docs:
    """Take a rule's docstring apart; lines below a heading lose their common indentation."""
    title, _, rest = docstring.strip().partition("\n")
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in rest.splitlines():
        if line.strip() in HEADINGS and not line.startswith(" "):
            lines = sections.setdefault(line.strip(), [])
        else:
            lines.append(line.strip())
    return Docs(title, {name: "\n".join(body).strip() for name, body in sections.items()})
