"""What judging a file came to, as JSON and back, exactly."""

from __future__ import annotations

import json
from dataclasses import astuple
from typing import Any

from phyzctl.cli.judging import Judged
from phyzctl.issues import Code, Edit, Fix, Issue, Related, Severity, Source


def to_json(judged: Judged) -> str:
    """One line of JSON."""
    rows = [astuple(issue) for issue in judged.issues]
    return json.dumps([rows, judged.documents, dict(judged.texts), judged.is_robot])


def from_json(text: str) -> Judged:
    """What `to_json` wrote; ValueError, TypeError or KeyError for anything else."""
    rows, documents, texts, is_robot = json.loads(text)
    return Judged([_issue(row) for row in rows], tuple(documents), dict(texts), bool(is_robot))


def _issue(row: list[Any]) -> Issue:
    code, severity, message, source, subject, fix, related, attribute = row
    return Issue(
        Code(code[0], code[1], Severity(code[2])),
        Severity(severity),
        message,
        _source(source),
        subject,
        _fix(fix),
        tuple(Related(message, _source(place)) for message, place in related),
        attribute,
    )


def _source(row: list[Any] | None) -> Source | None:
    return None if row is None else Source(*row)


def _fix(row: list[Any] | None) -> Fix | None:
    if row is None:
        return None
    description, safe, edits = row
    return Fix(description, safe, tuple(Edit(*edit) for edit in edits))
