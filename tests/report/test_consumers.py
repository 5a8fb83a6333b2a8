"""Reports as their consumers read them: each by its own rules, and all with the same findings."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest

import phyzctl
from phyzctl.cli.reports import make_report, render
from phyzctl.issues import Issue
from phyzctl.lint.engine import rules
from phyzctl.report.report import Report
from tests.corpus import ROOT, SAMPLES

ROBOTS = sorted((SAMPLES / "broken").rglob("*.urdf"))

Found = Counter[tuple[str, int, str]]


@pytest.fixture(scope="module")
def report() -> Report:
    """One of all broken robots, by their paths from the project's folder."""
    issues: list[Issue] = []
    texts = {}
    for path in ROBOTS:
        issues += phyzctl.validate(path)
        texts[str(path)] = path.read_text("utf-8", errors="replace")
    return make_report(issues, [str(path) for path in ROBOTS], texts, rules())


def expected(report: Report) -> Found:
    return Counter(
        (report.uri(issue.source.path), issue.source.line or 1, issue.code.id)
        for issue in report.issues
        if issue.source is not None
    )


def test_json(report: Report) -> None:
    document = json.loads(render(report, "json"))
    schema = json.loads((ROOT / "schemas/report.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(document)
    found = Counter(
        (report.uri(each["path"]), each["line"] or 1, each["code"])
        for each in document["issues"]
        if each["path"]
    )
    assert found == expected(report)
    assert sum(document["summary"][kind] for kind in ("errors", "warnings", "infos")) == len(
        document["issues"]
    )
    lines = [json.loads(line) for line in render(report, "jsonl").splitlines()]
    assert lines == document["issues"]


def sarif_results(report: Report) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Results with their rules, found by index, as code scanning does."""
    (run,) = json.loads(render(report, "sarif"))["runs"]
    for result in run["results"]:
        yield result, run["tool"]["driver"]["rules"][result["ruleIndex"]]


def test_sarif_places_lie_in_the_repository(report: Report) -> None:
    found: Found = Counter()
    for result, rule in sarif_results(report):
        assert rule["id"] == result["ruleId"]
        place = result["locations"][0]["physicalLocation"]
        path = unquote(place["artifactLocation"]["uri"])
        region = place["region"]
        lines = (ROOT / path).read_text("utf-8", errors="replace").split("\n")
        assert region["startLine"] <= len(lines)
        line = lines[region["startLine"] - 1]
        assert region.get("startColumn", 1) <= len(line) + 1
        assert region.get("endColumn", 1) <= len(line) + 1
        found[path, region["startLine"], result["ruleId"]] += 1
    assert found == expected(report)


def test_sarif_marks_what_is_meant(report: Report) -> None:
    """For attributes the region is the attribute itself, name and value."""
    marked = []
    for result, _ in sarif_results(report):
        place = result["locations"][0]["physicalLocation"]
        region = place["region"]
        if "endColumn" in region:
            text = (ROOT / unquote(place["artifactLocation"]["uri"])).read_text("utf-8")
            line = text.split("\n")[region["startLine"] - 1]
            marked.append(line[region["startColumn"] - 1 : region["endColumn"] - 1])
    assert len(marked) > 40
    assert all("=" in text and text[-1] in "\"'" for text in marked)


def test_junit(report: Report) -> None:
    junitparser = pytest.importorskip("junitparser")
    suites = list(junitparser.JUnitXml.fromstring(render(report, "junit").encode()))
    assert {suite.name for suite in suites} == {report.uri(path) for path in report.files}
    failed = {
        (suite.name, case.name.split()[0])
        for suite in suites
        for case in suite
        if any(isinstance(each, junitparser.Failure) for each in case.result)
    }
    assert failed == {
        (report.uri(issue.source.path), issue.code.id)
        for issue in report.issues
        if issue.fatal and issue.source
    }


def test_gitlab(report: Report) -> None:
    entries = json.loads(render(report, "gitlab"))
    assert len({entry["fingerprint"] for entry in entries}) == len(entries)
    places = [entry["location"] for entry in entries]
    found = Counter((place["path"], place["lines"]["begin"]) for place in places)
    assert found == Counter((path, line) for path, line, _ in expected(report).elements())
