"""SARIF: valid against the standard's own schema, and as GitHub's code scanning wants it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from phyzctl.issues import Issue, Severity, Source
from phyzctl.report.linehash import line_hashes
from phyzctl.report.report import Report
from phyzctl.report.sarif import document, render
from tests.report import cases

# As published by OASIS with the standard (errata 01).
STANDARD = json.loads((Path(__file__).parent / "sarif-schema-2.1.0.json").read_text("utf-8"))


def run_of(report: Report) -> dict[str, Any]:
    log = json.loads(render(report))
    jsonschema.Draft4Validator(STANDARD).validate(log)
    (run,) = log["runs"]
    assert isinstance(run, dict)
    return run


@pytest.mark.parametrize("report", [cases.REPORT, cases.EMPTY, Report(())])
def test_it_is_valid(report: Report) -> None:
    run_of(report)
    assert document(report)["version"] == "2.1.0"


def test_the_schema_would_notice() -> None:
    log = document(cases.REPORT)
    log["runs"][0]["results"][0]["level"] = "fatal"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft4Validator(STANDARD).validate(log)


def test_the_tool_and_its_rules() -> None:
    driver = run_of(cases.REPORT)["tool"]["driver"]
    assert (driver["name"], driver["semanticVersion"]) == ("phyzctl", "1.2.3")
    assert [rule["id"] for rule in driver["rules"]] == ["J201", "J207", "X003"]
    limit, rounded, _ = driver["rules"]
    assert limit["name"] == "limit-inverted"
    assert limit["shortDescription"]["text"] == "Limits the wrong way round."
    assert limit["help"]["markdown"] == "Limits…\n\n**Fix**\n\nSwap."
    assert limit["defaultConfiguration"] == {"level": "error"}
    assert limit["properties"]["problem.severity"] == "error"
    assert rounded["defaultConfiguration"] == {"level": "note"}
    assert "help" not in rounded


def test_results_point_to_their_rules() -> None:
    run = run_of(cases.REPORT)
    rules = run["tool"]["driver"]["rules"]
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == [
        result["ruleId"] for result in run["results"]
    ]
    assert [result["level"] for result in run["results"]] == ["error", "warning", "note", "note"]


def test_a_configured_severity_shows_in_the_result_alone() -> None:
    run = run_of(Report([replace(cases.LIMIT_ISSUE, severity=Severity.WARNING)]))
    assert run["results"][0]["level"] == "warning"
    assert run["tool"]["driver"]["rules"][0]["defaultConfiguration"] == {"level": "error"}


def test_message_and_region() -> None:
    result = run_of(cases.REPORT)["results"][0]
    assert result["message"]["text"] == (
        "joint 'elbow': lower limit 1 is above upper limit -1\nfix: swap the two"
    )
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "robots/arm.urdf"},
                "region": {"startLine": 3, "startColumn": 9, "endColumn": 18},
            }
        }
    ]


def test_related_locations() -> None:
    (related,) = run_of(cases.REPORT)["results"][1]["relatedLocations"]
    assert related["message"] == {"text": "first used here"}
    assert related["physicalLocation"]["artifactLocation"] == {"uri": "robots/other.urdf"}


def regions(report: Report) -> Iterator[dict[str, Any]]:
    for result in run_of(report)["results"]:
        (location,) = result["locations"]
        yield location["physicalLocation"]


def test_every_result_has_a_line_even_when_its_issue_has_none() -> None:
    *_, whole_file, placeless = regions(cases.REPORT)
    assert whole_file["region"] == {"startLine": 1}
    assert whole_file["artifactLocation"] == {"uri": "robots/empty.urdf"}
    assert placeless["region"] == {"startLine": 1}


def test_an_empty_region_is_not_stated() -> None:
    issue = replace(cases.LIMIT_ISSUE, source=Source("a", 1, 5, end_column=5))
    (place,) = regions(Report([issue]))
    assert place["region"] == {"startLine": 1, "startColumn": 5}


def test_fingerprints_are_those_of_the_line() -> None:
    results = run_of(cases.REPORT)["results"]
    hashes = line_hashes(cases.TEXT)
    assert [result.get("partialFingerprints") for result in results] == [
        {"primaryLocationLineHash": hashes[2]},
        {"primaryLocationLineHash": hashes[1]},
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("robots/my arm.urdf", "robots/my%20arm.urdf"),
        ("grün#1.urdf", "gr%C3%BCn%231.urdf"),
        ("100%.urdf", "100%25.urdf"),
        ("/tmp/a b.urdf", "file:///tmp/a%20b.urdf"),
        ("<stdin>", "%3Cstdin%3E"),
        ("not-utf8-\udcff.urdf", "not-utf8-%FF.urdf"),
    ],
)
def test_paths_become_uris(path: str, uri: str) -> None:
    issue = Issue(cases.LIMIT, Severity.ERROR, "m", Source(path, 1, 1))
    run = run_of(Report([issue], [path]))
    assert run["artifacts"][0]["location"]["uri"] == uri
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == uri


def test_paths_are_those_of_the_repository() -> None:
    report = replace(cases.REPORT, uris={"robots/arm.urdf": "ws/arm.urdf"})
    assert next(regions(report))["artifactLocation"] == {"uri": "ws/arm.urdf"}
