"""GitHub: workflow commands that become annotations on a pull request."""

from __future__ import annotations

from phyzctl.issues import Issue, Severity
from phyzctl.report.report import TOOL, Report

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def render(report: Report) -> str:
    """One command a line, most serious first, since GitHub shows only the first ten of a kind."""
    ordered = sorted(report.issues, key=Issue.sort_key)
    return "".join(f"{_command(issue, report)}\n" for issue in ordered)


def _command(issue: Issue, report: Report) -> str:
    properties = {"title": f"{TOOL} {issue.code.id} {issue.code.name}"}
    if issue.source is not None:
        properties = {"file": report.uri(issue.source.path), **_position(issue), **properties}
    stated = ",".join(f"{key}={value.translate(_PROPERTY)}" for key, value in properties.items())
    return f"::{_COMMANDS[issue.severity]} {stated}::{_message(issue).translate(_DATA)}"


def _position(issue: Issue) -> dict[str, str]:
    source = issue.source
    if source is None or source.line is None:
        return {}
    columns = {"col": source.column, "endColumn": source.end_column}
    return {
        "line": str(source.line),
        **{key: str(value) for key, value in columns.items() if value is not None},
    }


def _message(issue: Issue) -> str:
    subject = f"{issue.subject}: " if issue.subject else ""
    remedy = f"\nfix: {issue.fix.description}" if issue.fix else ""
    return f"{subject}{issue.message}{remedy}"
