"""Markdown: a summary for people, such as `$GITHUB_STEP_SUMMARY` shows under a job."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from phyzctl.issues import Issue
from phyzctl.report.report import TOOL, Report, RuleText
from phyzctl.report.text import plural, printable, summary_line

_MOST = 300  # rows: a summary may have a megabyte, and nobody reads more
_ROW = 1000  # characters of a message
_MARKS = re.compile(r"([\\`*_{}\[\]#|~$])")
_SYMBOLS = {"error": "❌", "warning": "⚠️", "info": "ℹ️"}  # noqa: RUF001


def render(report: Report) -> str:
    """A headline, a table of findings for each file, and what the rules in it say."""
    shown = report.issues[:_MOST]
    parts = [f"## {TOOL}: {summary_line(report)}"]
    for path, issues in _by_file(shown).items():
        parts.append(_table(report.uri(path) if path else "", issues))
    if len(report.issues) > len(shown):
        parts.append(f"… and {plural(len(report.issues) - len(shown), 'more finding')}.")
    codes = dict.fromkeys(issue.code.id for issue in shown)
    parts += [_explained(report.rules[code]) for code in codes if code in report.rules]
    return "\n\n".join(parts) + "\n"


def _by_file(issues: Iterable[Issue]) -> dict[str, list[Issue]]:
    found: dict[str, list[Issue]] = {}
    for issue in issues:
        found.setdefault(issue.source.path if issue.source else "", []).append(issue)
    return found


def _table(path: str, issues: Iterable[Issue]) -> str:
    heading = [f"### {_escaped(path)}", ""] if path else []
    head = ["| | line | rule | |", "|---|---|---|---|"]
    return "\n".join([*heading, *head, *(_row(issue) for issue in issues)])


def _row(issue: Issue) -> str:
    source = issue.source
    column = f":{source.column}" if source and source.column else ""
    place = f"{source.line}{column}" if source and source.line else ""
    subject = f"{issue.subject}: " if issue.subject else ""
    message = _escaped(f"{subject}{issue.message}"[:_ROW])
    remedy = f"<br>fix: {_escaped(issue.fix.description[:_ROW])}" if issue.fix else ""
    kind = f"{_SYMBOLS[issue.severity.label]} {issue.severity.label}"
    return f"| {kind} | {place} | `{issue.code.id}` {issue.code.name} | {message}{remedy} |"


def _explained(text: RuleText) -> str:
    """What a rule's page says, folded away."""
    title = html.escape(f"{text.code.id} {text.code.name}: {text.summary}", quote=False)
    body = text.markdown.removeprefix(text.summary).strip()
    return f"<details><summary>{title}</summary>\n\n{body}\n\n</details>"


def _escaped(text: str) -> str:
    """Text that can't end a cell or start any markup."""
    plain = html.escape(printable(text), quote=False)
    return _MARKS.sub(r"\\\1", plain)
