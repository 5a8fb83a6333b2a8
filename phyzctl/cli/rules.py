"""`phyzctl rules`: every rule, a line each."""

from __future__ import annotations

import json

import typer

from phyzctl.cli import options, streams
from phyzctl.cli.catalogue import rules_document
from phyzctl.cli.options import PlainFormat
from phyzctl.cli.tables import columns
from phyzctl.lint import engine
from phyzctl.lint.rule import Rule

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def rules(*, form: options.Plain = PlainFormat.TEXT) -> None:
    """List every rule: code, name, severity, what it finds."""
    found = [rule for _, rule in sorted(engine.rules().items())]
    if form is PlainFormat.JSON:
        streams.write(json.dumps(rules_document(found), indent=2, ensure_ascii=False) + "\n")
        return
    streams.write(columns([_row(rule) for rule in found]))


def _row(rule: Rule) -> list[str]:
    code = rule.code
    return [code.id, code.name, code.severity.label, rule.docs.title]
