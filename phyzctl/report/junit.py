"""JUnit: test results as XML. Each file is a suite, and each rule that speaks of it a test."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from xml.etree import ElementTree as ET

from phyzctl.issues import Issue
from phyzctl.report.report import TOOL, Report

# What XML 1.0 has no way to write, and lone surrogates, which no encoding has.
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def render(report: Report) -> str:
    """One document. What fails the run is a failure; other findings are output of a passed test.

    A file in which nothing is found is a suite of one passed test.
    """
    suites = [_suite(path, issues, report) for path, issues in _by_file(report)]
    root = ET.Element("testsuites", {"name": TOOL, **_totals(suites)})
    root.extend(suites)
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, "unicode") + "\n"


def _by_file(report: Report) -> list[tuple[str, list[Issue]]]:
    """The files of the run with their Issues, then other places where something was found."""
    found: dict[str, list[Issue]] = {path: [] for path in report.files}
    for issue in report.issues:
        found.setdefault(issue.source.path if issue.source else TOOL, []).append(issue)
    return list(found.items())


def _suite(path: str, issues: Iterable[Issue], report: Report) -> ET.Element:
    by_rule: dict[str, list[Issue]] = {}
    for issue in issues:
        by_rule.setdefault(issue.code.id, []).append(issue)
    name = _writable(report.uri(path))
    cases = [_case(name, found, report) for found in by_rule.values()]
    cases = cases or [ET.Element("testcase", classname=name, name=TOOL, time="0")]
    failures = sum(1 for case in cases if case.find("failure") is not None)
    counts = {"name": name, "tests": str(len(cases)), "failures": str(failures)}
    suite = ET.Element("testsuite", counts, errors="0", skipped="0", time="0")
    suite.extend(cases)
    return suite


def _case(file: str, issues: Sequence[Issue], report: Report) -> ET.Element:
    """All that one rule says of a file: its name stays the same when lines move."""
    code = issues[0].code
    case = ET.Element("testcase", classname=file, name=f"{code.id} {code.name}", time="0")
    failing = [issue for issue in issues if report.fails(issue)]
    if failing:
        kind = failing[0].severity.label
        failure = ET.SubElement(case, "failure", type=kind, message=_writable(_message(failing[0])))
        failure.text = _text(failing)
    passing = [issue for issue in issues if not report.fails(issue)]
    if passing:
        ET.SubElement(case, "system-out").text = _text(passing)
    return case


def _text(issues: Iterable[Issue]) -> str:
    lines = []
    for issue in issues:
        place = f"{issue.source}: " if issue.source else ""
        lines.append(f"{place}{issue.severity.label}[{issue.code.id}] {_message(issue)}")
        if issue.fix:
            lines.append(f"  fix: {issue.fix.description}")
    return _writable("\n".join(lines))


def _message(issue: Issue) -> str:
    return f"{issue.subject}: {issue.message}" if issue.subject else issue.message


def _totals(suites: Iterable[ET.Element]) -> dict[str, str]:
    suites = list(suites)
    names = ("tests", "failures", "errors")
    return {name: str(sum(int(suite.get(name, "0")) for suite in suites)) for name in names}


def _writable(text: str) -> str:
    return _UNWRITABLE.sub(lambda match: repr(match.group())[1:-1], text)
