"""GitLab: a Code Quality report, which merge requests show beside the lines that they change."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import Any

from phyzctl.issues import Issue, Severity
from phyzctl.report.report import Report

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "minor", Severity.INFO: "info"}


def render(report: Report) -> str:
    """One JSON array, an object an Issue."""
    return json.dumps(document(report), indent=2, ensure_ascii=False) + "\n"


def document(report: Report) -> list[dict[str, Any]]:
    """The report as plain values, ready for JSON."""
    seen: Counter[str] = Counter()
    return [_finding(issue, report, seen) for issue in report.issues]


def _finding(issue: Issue, report: Report, seen: Counter[str]) -> dict[str, Any]:
    path = _path(issue, report)
    identity = _identity(issue, path)
    seen[identity] += 1
    begin = (issue.source.line if issue.source else None) or 1
    return {
        "description": f"{issue.code.id}: {_message(issue)}",
        "check_name": issue.code.name,
        "fingerprint": hashlib.sha256(
            f"{identity}\0{seen[identity]}".encode(errors="replace")
        ).hexdigest(),
        "severity": _SEVERITIES[issue.severity],
        "location": {"path": path, "lines": {"begin": begin}},
    }


def _path(issue: Issue, report: Report) -> str:
    """The file; a finding of none is shown at the first file of the run."""
    if issue.source is not None:
        return report.uri(issue.source.path)
    return report.uri(report.files[0]) if report.files else "."


def _identity(issue: Issue, path: str) -> str:
    """What stays when lines move and numbers change: rule, file, element, subject."""
    element = issue.source.element if issue.source else None
    return "\0".join((issue.code.id, path, element or "", issue.subject or ""))


def _message(issue: Issue) -> str:
    subject = f"{issue.subject}: " if issue.subject else ""
    remedy = f" (fix: {issue.fix.description})" if issue.fix else ""
    return f"{subject}{issue.message}{remedy}"
