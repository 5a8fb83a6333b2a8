"""`phyzctl rules`: every rule, a line each."""

from __future__ import annotations

import json

import typer

from phyzctl.cli import options, streams
from phyzctl.cli.catalogue import rule_document
from phyzctl.cli.options import PlainFormat
from phyzctl.cli.tables import columns
from phyzctl.lint import engine

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def rules(*, form: options.Plain = PlainFormat.TEXT) -> None:
    """List every rule: code, name, severity, what it finds."""
    documents = [rule_document(rule) for _, rule in sorted(engine.rules().items())]
    if form is PlainFormat.JSON:
        streams.write(json.dumps(documents, indent=2, ensure_ascii=False) + "\n")
        return
    keys = ("code", "name", "severity", "summary")
    streams.write(columns([[rule[key] for key in keys] for rule in documents]))
