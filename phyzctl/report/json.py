"""JSON: one document (`schemas/report.schema.json`), or one Issue a line."""

from __future__ import annotations

import json
from typing import Any

from phyzctl.issues import Fix, Issue, Related, Severity, Source
from phyzctl.report.report import TOOL, Report, slashed

SCHEMA = "phyzctl.report/1"


def render(report: Report) -> str:
    """The whole report as one indented document."""
    return json.dumps(document(report), indent=2, ensure_ascii=False) + "\n"


def render_lines(report: Report) -> str:
    """One Issue a line, in the same form as in the whole document."""
    lines = (json.dumps(_issue(issue), ensure_ascii=False) for issue in report.issues)
    return "".join(f"{line}\n" for line in lines)


def document(report: Report) -> dict[str, Any]:
    """The report as plain values, ready for JSON."""
    return {
        "schema": SCHEMA,
        "tool": {"name": TOOL, "version": report.version},
        "files": [slashed(path) for path in report.files],
        "issues": [_issue(issue) for issue in report.issues],
        "summary": {
            "errors": report.count(Severity.ERROR),
            "warnings": report.count(Severity.WARNING),
            "infos": report.count(Severity.INFO),
            "files": len(report.files),
        },
    }


def _issue(issue: Issue) -> dict[str, Any]:
    source = issue.source
    return {
        "code": issue.code.id,
        "name": issue.code.name,
        "severity": issue.severity.label,
        "message": issue.message,
        **_place(source),
        "end_column": source.end_column if source else None,
        "element": source.element if source else None,
        "subject": issue.subject,
        "fix": _fix(issue.fix, source) if issue.fix else None,
        "related": [_related(other) for other in issue.related],
    }


def _place(source: Source | None) -> dict[str, Any]:
    return {
        "path": slashed(source.path) if source else None,
        "line": source.line if source else None,
        "column": source.column if source else None,
    }


def _fix(fix: Fix, source: Source | None) -> dict[str, Any]:
    """An edit names its file only when that is not the Issue's own."""
    here = source.path if source else None
    edits = [
        {"start": edit.start, "end": edit.end, "text": edit.text}
        | ({} if edit.path == here else {"path": slashed(edit.path)})
        for edit in fix.edits
    ]
    return {"safe": fix.safe, "description": fix.description, "edits": edits}


def _related(related: Related) -> dict[str, Any]:
    return {**_place(related.source), "message": related.message}
