"""GitLab Code Quality: the fields that it documents, and fingerprints that outlive edits."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from phyzctl.issues import Issue, Severity, Source
from phyzctl.report.gitlab import document, render
from phyzctl.report.report import Report
from tests.report import cases

# As GitLab's documentation of the report format states it.
SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "not": {"pattern": r"^(\./|/)"}},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {"begin": {"type": "integer", "minimum": 1}},
                    },
                },
            },
        },
    },
}


def first(*issues: Issue) -> dict[str, Any]:
    return document(Report(issues, cases.FILES))[0]


def test_the_whole_is_as_documented() -> None:
    found = json.loads(render(cases.REPORT))
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    assert len(found) == len(cases.ALL)


def test_a_finding() -> None:
    found = first(cases.LIMIT_ISSUE)
    assert found.pop("fingerprint")
    assert found == {
        "description": "J201: joint 'elbow': lower limit 1 is above upper limit -1 "
        "(fix: swap the two)",
        "check_name": "limit-inverted",
        "severity": "critical",
        "location": {"path": "robots/arm.urdf", "lines": {"begin": 3}},
    }


def test_nothing_for_nothing() -> None:
    assert render(cases.EMPTY) == "[]\n"


@pytest.mark.parametrize(
    ("severity", "word"),
    [(Severity.ERROR, "critical"), (Severity.WARNING, "minor"), (Severity.INFO, "info")],
)
def test_severities(severity: Severity, word: str) -> None:
    assert first(replace(cases.LIMIT_ISSUE, severity=severity))["severity"] == word


def test_what_has_no_place_is_shown_at_the_first_file() -> None:
    assert first(cases.PLACELESS)["location"] == {"path": cases.FILES[0], "lines": {"begin": 1}}
    assert document(Report([cases.PLACELESS]))[0]["location"]["path"] == "."
    assert first(cases.FILE_ISSUE)["location"]["lines"] == {"begin": 1}


def test_files_are_called_as_the_repository_knows_them() -> None:
    report = replace(cases.REPORT, uris={"robots/arm.urdf": "ws/arm.urdf"})
    assert document(report)[0]["location"]["path"] == "ws/arm.urdf"


PLACE = Source("robots/arm.urdf", 3, 9, cases.ELEMENT)
SAME: dict[str, dict[str, Any]] = {
    "moved": {"source": replace(PLACE, line=30, column=2)},
    "other numbers": {"message": "lower limit 2 is above upper limit -2"},
    "severity": {"severity": Severity.INFO},
}
OTHER: dict[str, dict[str, Any]] = {
    "code": {"code": cases.NAME},
    "file": {"source": replace(PLACE, path="b.urdf")},
    "element": {"source": replace(PLACE, element="/robot")},
    "subject": {"subject": "joint 'knee'"},
}


@pytest.mark.parametrize("change", SAME)
def test_a_fingerprint_outlives_edits(change: str) -> None:
    issue = replace(cases.LIMIT_ISSUE, source=PLACE)
    assert first(issue)["fingerprint"] == first(replace(issue, **SAME[change]))["fingerprint"]


@pytest.mark.parametrize("change", OTHER)
def test_a_fingerprint_says_what_is_meant(change: str) -> None:
    issue = replace(cases.LIMIT_ISSUE, source=PLACE)
    assert first(issue)["fingerprint"] != first(replace(issue, **OTHER[change]))["fingerprint"]


def test_fingerprints_are_unique() -> None:
    twice = [cases.LIMIT_ISSUE, replace(cases.LIMIT_ISSUE, message="another")]
    found = [each["fingerprint"] for each in document(Report(twice))]
    assert len(set(found)) == 2


def test_a_lone_surrogate_does_no_harm() -> None:
    assert first(replace(cases.LIMIT_ISSUE, subject="joint '\udcff'"))["fingerprint"]
