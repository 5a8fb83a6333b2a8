"""`phyzctl explain`: what is written about a rule."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from phyzctl.cli import options, streams
from phyzctl.cli.catalogue import rules_document, rules_named
from phyzctl.cli.options import PlainFormat
from phyzctl.lint.rule import Rule

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def explain(
    rule: Annotated[str, typer.Argument(metavar="RULE", help="A code, a prefix or a name.")],
    *,
    form: options.Plain = PlainFormat.TEXT,
) -> None:
    """Say what a rule checks, why it matters and how to fix it."""
    found = rules_named(rule)
    if form is PlainFormat.JSON:
        streams.write(json.dumps(rules_document(found), indent=2, ensure_ascii=False) + "\n")
    else:
        streams.write("\n".join(_text(each) for each in found))


def _text(rule: Rule) -> str:
    lines = [f"{rule.code.id} {rule.code.name} ({rule.code.severity.label})", rule.docs.title]
    for heading, body in rule.docs.sections.items():
        lines += ["", heading, *(f"  {line}".rstrip() for line in body.splitlines())]
    lines += ["", *_facts(rule)]
    return "".join(f"{line}\n" for line in lines)


def _facts(rule: Rule) -> list[str]:
    """When the rule runs, and what of it can be configured."""
    state = "on by default" if rule.default_on else "off by default"
    if rule.targets:
        state = f"on with --target {' or '.join(sorted(rule.targets))}"
    facts = [f"For {', '.join(sorted(rule.formats))}; {rule.cost}; {state}."]
    if rule.raised:
        raised = ", ".join(f"{rule.raised[name].label} with {name}" for name in sorted(rule.raised))
        facts.append(f"By --target: {raised}.")
    if rule.tolerances:
        stated = ", ".join(f"{name} = {value:g}" for name, value in rule.tolerances.items())
        facts.append(f"Tolerances: {stated}.")
    return facts
