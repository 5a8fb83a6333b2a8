"""`phyzctl rules`: every rule, a line each."""

from __future__ import annotations

import json
from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated

import typer

from phyzctl.cli import streams
from phyzctl.cli.catalogue import rules_document
from phyzctl.cli.tables import columns
from phyzctl.lint import engine
from phyzctl.lint.rule import Rule

app = typer.Typer(rich_markup_mode=None, add_completion=False)


class RulesFormat(StrEnum):
    """How to list the rules."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


@app.command()
def rules(
    *,
    form: Annotated[
        RulesFormat, typer.Option("--format", "-f", help="How to list them.")
    ] = RulesFormat.TEXT,
) -> None:
    """List every rule: code, name, severity, what it finds."""
    found = [rule for _, rule in sorted(engine.rules().items())]
    if form is RulesFormat.JSON:
        streams.write(json.dumps(rules_document(found), indent=2, ensure_ascii=False) + "\n")
    elif form is RulesFormat.MARKDOWN:
        streams.write(markdown(found))
    else:
        streams.write(columns([_row(rule) for rule in found]))


def markdown(found: Iterable[Rule]) -> str:
    """The page `docs/rules.md`."""
    rows = [
        [f"`{code}`", name, severity, title] for code, name, severity, title in map(_row, found)
    ]
    lines = ["| code | name | severity | what it finds |", "|---|---|---|---|"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(["# Rules", "", _INTRODUCTION, "", *lines, ""])


def _row(rule: Rule) -> list[str]:
    code = rule.code
    severity = code.severity.label
    if rule.targets:
        severity += f", {' '.join(sorted(rule.targets))}"
    elif not rule.default_on:
        severity += ", off"
    return [code.id, code.name, severity, rule.docs.title]


_INTRODUCTION = """\
What `phyzctl validate` looks for. `phyzctl explain CODE` tells more of each: what it checks, why it
matters, how to fix it. Rules that are off run with `--pedantic` or when they are selected. Rules
beside which programs stand are about these: they run with `--target NAME` or when selected.
This page is what `phyzctl rules --format markdown` prints."""
