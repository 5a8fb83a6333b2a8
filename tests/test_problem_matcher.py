"""The problem matcher, applied as editors and runners do: line by line, first match first."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from phyzctl.issues import Code, Issue, Severity, Source
from phyzctl.report.report import Report
from phyzctl.report.text import render
from tests.corpus import ROOT

MATCHERS: list[dict[str, Any]] = json.loads(
    (ROOT / ".github/problem-matcher.json").read_text("utf-8")
)["problemMatcher"]
FIELDS = ("file", "line", "column", "severity", "code", "message")


def matched(line: str) -> dict[str, str | None]:
    """What the matchers make of a line; a matcher's own severity where it has one."""
    for matcher in MATCHERS:
        (pattern,) = matcher["pattern"]
        match = re.search(pattern["regexp"], line)
        if match:
            found = {name: match[pattern[name]] for name in FIELDS if name in pattern}
            return {"severity": matcher.get("severity"), **found}
    return {}


CASES = {
    "a place": (Source("robots/arm.urdf", 12, 7), "robots/arm.urdf", "12", "7"),
    "a line": (Source("a.xml", 3), "a.xml", "3", None),
    "a file": (Source("a.xml"), "a.xml", None, None),
    "a folder with a colon": (Source("a:b/c.urdf", 1, 2), "a:b/c.urdf", "1", "2"),
    "blanks": (Source("my robot.urdf", 1, 2), "my robot.urdf", "1", "2"),
    "a drive": (Source("C:\\r\\arm.urdf", 12, 7), "C:\\r\\arm.urdf", "12", "7"),
}


@pytest.mark.parametrize("severity", Severity)
@pytest.mark.parametrize(("source", "file", "line", "column"), CASES.values(), ids=CASES)
def test_what_is_printed_is_matched(
    source: Source, file: str, line: str | None, column: str | None, severity: Severity
) -> None:
    code = Code("J201", "limit-inverted", severity)
    issue = Issue(code, severity, "lower 1 is above upper: -1", source, "joint 'a'")
    text = render(Report([issue], [source.path]))
    assert matched(text.splitlines()[0]) == {
        "file": file,
        "line": line,
        "column": column,
        "severity": "notice" if severity is Severity.INFO else severity.label,
        "code": "J201",
        "message": "joint 'a': lower 1 is above upper: -1",
    }


@pytest.mark.parametrize(
    "line",
    ["", "1 error in 1 file", "  fix: swap them", "  note: first here a.urdf:1:2:", "   12 | <a/>"],
)
def test_what_is_printed_beside_is_not(line: str) -> None:
    assert matched(line) == {}


def test_each_has_its_own_owner() -> None:
    owners = [matcher["owner"] for matcher in MATCHERS]
    assert len(set(owners)) == len(owners)
