"""JSON: the document as designed, and the same Issues a line each."""

from __future__ import annotations

import json
import os

import pytest

from phyzctl.issues import Edit, Fix, Issue
from phyzctl.report import json as json_report
from phyzctl.report.report import Report, slashed
from tests.report import cases


def test_the_whole() -> None:
    report = Report([cases.LIMIT_ISSUE], ["robots/arm.urdf"], version="1.2.3")
    assert json.loads(json_report.render(report)) == {
        "schema": "phyzctl.report/1",
        "tool": {"name": "phyzctl", "version": "1.2.3"},
        "files": ["robots/arm.urdf"],
        "issues": [
            {
                "code": "J201",
                "name": "limit-inverted",
                "severity": "error",
                "message": "lower limit 1 is above upper limit -1",
                "path": "robots/arm.urdf",
                "line": 3,
                "column": 9,
                "end_column": 18,
                "element": "/robot/joint[@name='elbow']/limit",
                "subject": "joint 'elbow'",
                "fix": {
                    "safe": False,
                    "description": "swap the two",
                    "edits": [{"start": 67, "end": 68, "text": "-1"}],
                },
                "related": [],
            }
        ],
        "summary": {"errors": 1, "warnings": 0, "infos": 0, "files": 1},
    }


def test_related_places() -> None:
    document = json_report.document(cases.REPORT)
    assert document["issues"][1]["related"] == [
        {"path": "robots/other.urdf", "line": 7, "column": 1, "message": "first used here"}
    ]
    assert document["summary"] == {"errors": 1, "warnings": 1, "infos": 2, "files": 3}


def test_what_has_no_place_says_so() -> None:
    issue = json_report.document(cases.REPORT)["issues"][3]
    places = ("path", "line", "column", "end_column", "element", "fix")
    assert [issue[key] for key in places] == [None] * len(places)


def test_an_edit_of_another_file_names_it() -> None:
    edits = (Edit("a.urdf", 1, 2, "x"), Edit("b.urdf", 3, 4, "y"))
    issue = Issue(
        cases.LIMIT, cases.LIMIT.severity, "m", cases.LIMIT_ISSUE.source, fix=Fix("f", edits=edits)
    )
    (document,) = json_report.document(Report([issue]))["issues"]
    assert [edit["path"] for edit in document["fix"]["edits"]] == ["a.urdf", "b.urdf"]


def test_lines_are_the_issues_of_the_document() -> None:
    lines = json_report.render_lines(cases.REPORT).splitlines()
    whole = json.loads(json_report.render(cases.REPORT))
    assert [json.loads(line) for line in lines] == whole["issues"]
    assert json_report.render_lines(cases.EMPTY) == ""


def test_text_is_kept_readable() -> None:
    issue = Issue(cases.LIMIT, cases.LIMIT.severity, "grün", None)
    assert "grün" in json_report.render(Report([issue]))


def test_paths_have_slashes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert slashed("a/b\\c.urdf") == "a/b\\c.urdf"
    monkeypatch.setattr(os, "sep", "\\")
    assert slashed("a\\b\\c.urdf") == "a/b/c.urdf"
