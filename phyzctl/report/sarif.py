"""SARIF 2.1.0 as GitHub's code scanning wants it: relative paths, rules with help, fingerprints."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from phyzctl.issues import Code, Issue, Severity, Source
from phyzctl.report.linehash import line_hashes
from phyzctl.report.report import TOOL, Report

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_PROBLEMS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "recommendation",
}


def render(report: Report) -> str:
    """One run; its rules are those of the Issues found."""
    return json.dumps(document(report), indent=2, ensure_ascii=False) + "\n"


def document(report: Report) -> dict[str, Any]:
    """The SARIF log as plain values, ready for JSON."""
    codes = sorted({issue.code for issue in report.issues}, key=lambda code: code.id)
    driver = {
        "name": TOOL,
        "semanticVersion": report.version,
        "rules": [_rule(code, report) for code in codes],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "artifacts": [{"location": {"uri": _uri(path, report)}} for path in report.files],
        "results": _results(report, {code.id: index for index, code in enumerate(codes)}),
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(code: Code, report: Report) -> dict[str, Any]:
    text = report.rules.get(code.id)
    summary = text.summary if text else code.name
    rule: dict[str, Any] = {
        "id": code.id,
        "name": code.name,
        "shortDescription": {"text": summary},
        "fullDescription": {"text": summary},
        "defaultConfiguration": {"level": _LEVELS[code.severity]},
        "properties": {
            "tags": ["robotics"],
            "precision": "high",
            "problem.severity": _PROBLEMS[code.severity],
        },
    }
    if text:
        rule["help"] = {"text": text.markdown, "markdown": text.markdown}
    return rule


def _results(report: Report, indices: dict[str, int]) -> list[dict[str, Any]]:
    hashes: dict[str, list[str]] = {}
    results = []
    for issue in report.issues:
        result = _result(issue, report)
        result["ruleIndex"] = indices[issue.code.id]
        if issue.source is not None and issue.source.path in report.texts:
            path = issue.source.path
            if path not in hashes:
                hashes[path] = line_hashes(report.texts[path])
            line = min(issue.source.line or 1, len(hashes[path]))
            result["partialFingerprints"] = {"primaryLocationLineHash": hashes[path][line - 1]}
        results.append(result)
    return results


def _result(issue: Issue, report: Report) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": issue.code.id,
        "level": _LEVELS[issue.severity],
        "message": {"text": _message(issue)},
    }
    source = issue.source or (Source(report.files[0]) if report.files else None)
    if source is not None:
        result["locations"] = [{"physicalLocation": _place(source, report)}]
    related = [
        {"physicalLocation": _place(other.source, report), "message": {"text": other.message}}
        for other in issue.related
        if other.source is not None
    ]
    return result | ({"relatedLocations": related} if related else {})


def _message(issue: Issue) -> str:
    subject = f"{issue.subject}: " if issue.subject else ""
    remedy = f"\nfix: {issue.fix.description}" if issue.fix else ""
    return f"{subject}{issue.message}{remedy}"


def _place(source: Source, report: Report) -> dict[str, Any]:
    """A file that could not be placed any better has its finding on line 1."""
    region = {"startLine": source.line or 1}
    if source.column is not None:
        region["startColumn"] = source.column
        if source.end_column is not None and source.end_column > source.column:
            region["endColumn"] = source.end_column
    return {"artifactLocation": {"uri": _uri(source.path, report)}, "region": region}


def _uri(path: str, report: Report) -> str:
    """Relative to the repository; a file outside of any goes by its absolute path."""
    known = quote(report.uri(path), errors="surrogateescape")
    return f"file://{known}" if known.startswith("/") else known
