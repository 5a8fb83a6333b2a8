"""Baselines: what is known stays known while files are edited; no entry outlives its fault."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from phyzctl.errors import NotFoundError, PhyzctlError
from phyzctl.issues import Code, Issue, Severity, Source
from phyzctl.lint.baseline import (
    BASELINE_STALE,
    Baseline,
    baseline_of,
    baseline_text,
    read_baseline,
    relative,
)
from tests.corpus import ROOT

CODE = Code("J201", "limit-inverted", Severity.ERROR)
ELEMENT = "/robot/joint[@name='elbow']/limit"


def issue(path: Path, **changes: Any) -> Issue:
    source = Source(str(path / "robots" / "arm.urdf"), 8, 12, ELEMENT)
    return replace(Issue(CODE, CODE.severity, "1 is above -1", source, "joint 'elbow'"), **changes)


def written(path: Path, *issues: Issue) -> Baseline:
    """The baseline of these Issues, written and read again."""
    file = path / "known.json"
    file.write_text(baseline_text(baseline_of(issues, str(file))), encoding="utf-8")
    return read_baseline(str(file))


def everything(path: str, code: str) -> bool:
    return True


def nothing(path: str, code: str) -> bool:
    return False


# The document


def test_the_document(tmp_path: Path) -> None:
    placeless = replace(issue(tmp_path), source=None, subject=None)
    known = baseline_of([issue(tmp_path), placeless, issue(tmp_path)], str(tmp_path / "b.json"))
    text = baseline_text(known)
    assert text == (
        '{\n  "schema": "phyzctl.baseline/1",\n  "findings": [\n'
        '    {"code": "J201", "file": ""},\n'
        '    {"code": "J201", "file": "robots/arm.urdf", "element": '
        '"/robot/joint[@name=\'elbow\']/limit", "subject": "joint \'elbow\'", "count": 2}\n'
        "  ]\n}\n"
    )
    schema = json.loads((ROOT / "schemas" / "baseline.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(json.loads(text))
    assert json.loads(baseline_text(baseline_of([], "b.json")))["findings"] == []


def test_the_order_of_findings_does_not_matter(tmp_path: Path) -> None:
    issues = [issue(tmp_path, subject=name) for name in "cab"]
    one, other = (baseline_of(each, "b.json") for each in (issues, reversed(issues)))
    assert baseline_text(one) == baseline_text(other)


def test_what_is_stale_is_not_written(tmp_path: Path) -> None:
    assert not baseline_of([issue(tmp_path, code=BASELINE_STALE)], "b.json").known


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        "{}",
        '{"schema": "phyzctl.baseline/2", "findings": []}',
        '{"schema": "phyzctl.baseline/1"}',
        '{"schema": "phyzctl.baseline/1", "findings": [1]}',
        '{"schema": "phyzctl.baseline/1", "findings": [{"code": "J201"}]}',
        '{"schema": "phyzctl.baseline/1", "findings": [{"code": "J201", "file": 1}]}',
        '{"schema": "phyzctl.baseline/1", "findings": [{"code": "J", "file": "a", "count": "2"}]}',
    ],
)
def test_what_is_no_baseline_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "b.json").write_text(text)
    with pytest.raises(PhyzctlError, match=r"is no baseline of phyzctl \(phyzctl.baseline/1\)"):
        read_baseline(str(tmp_path / "b.json"))


def test_a_baseline_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"there is no baseline .*; --write-baseline makes one"):
        read_baseline(str(tmp_path / "b.json"))


@pytest.mark.parametrize(
    ("path", "wanted"), [("/a/b/c.urdf", "b/c.urdf"), ("/x/c.urdf", "../x/c.urdf")]
)
def test_files_are_named_from_the_baselines_folder(path: str, wanted: str) -> None:
    assert relative(path, "/a") == wanted


# What is known

SAME: dict[str, dict[str, Any]] = {
    "nothing": {},
    "message": {"message": "2 is above -2"},
    "severity": {"severity": Severity.INFO},
}
OTHER: dict[str, dict[str, Any]] = {
    "code": {"code": Code("J202", "x", Severity.ERROR)},
    "subject": {"subject": "joint 'knee'"},
    "source": {"source": None},
}


@pytest.mark.parametrize("change", SAME)
def test_numbers_and_severities_do_not_count(tmp_path: Path, change: str) -> None:
    assert written(tmp_path, issue(tmp_path)).new([issue(tmp_path, **SAME[change])]) == []


@pytest.mark.parametrize("change", OTHER)
def test_another_finding_is_new(tmp_path: Path, change: str) -> None:
    other = issue(tmp_path, **OTHER[change])
    assert written(tmp_path, issue(tmp_path)).new([other]) == [other]


@pytest.mark.parametrize(
    ("place", "known"),
    [({"line": 80, "column": 1}, True), ({"element": "/robot"}, False), ({"path": "x"}, False)],
)
def test_lines_do_not_count_but_elements_and_files_do(
    tmp_path: Path, place: dict[str, Any], known: bool
) -> None:
    found = issue(tmp_path)
    assert found.source is not None
    moved = replace(found, source=replace(found.source, **place))
    assert (written(tmp_path, found).new([moved]) == []) is known


def test_a_second_one_at_the_same_element_is_new(tmp_path: Path) -> None:
    one, other = issue(tmp_path), issue(tmp_path, message="another")
    assert written(tmp_path, one).new([one, other]) == [other]
    assert written(tmp_path, one, other).new([one, other]) == []


def test_the_same_baseline_holds_wherever_it_is_used_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, issue(tmp_path))
    monkeypatch.chdir(tmp_path)
    found = issue(Path())
    assert read_baseline("known.json").new([found]) == []


# What is stale


def test_an_entry_that_nothing_matches_is_stale(tmp_path: Path) -> None:
    known = written(tmp_path, issue(tmp_path), issue(tmp_path, subject="joint 'knee'"))
    known.new([issue(tmp_path)])
    (stale,) = known.stale(everything)
    assert stale.code is BASELINE_STALE
    assert stale.message == (
        "J201 of joint 'knee' in 'robots/arm.urdf' is not found any more; remove the entry"
    )
    assert stale.source == Source(str(tmp_path / "known.json"), 5)


def test_an_entry_that_is_there_less_often_is_stale(tmp_path: Path) -> None:
    known = written(tmp_path, issue(tmp_path), issue(tmp_path), issue(tmp_path))
    known.new([issue(tmp_path)])
    (stale,) = known.stale(everything)
    assert "is not found any more, 2 times" in stale.message
    assert stale.source == Source(str(tmp_path / "known.json"), 4)


def test_what_was_not_looked_for_is_not_stale(tmp_path: Path) -> None:
    found = issue(tmp_path)
    assert found.source is not None
    file = Path(found.source.path)
    file.parent.mkdir()
    file.write_text("")
    known = written(tmp_path, found)
    assert not list(known.stale(nothing))
    assert list(known.stale(lambda path, code: (path, code) == (str(file), "J201")))
    file.unlink()
    assert list(known.stale(nothing))


def test_several_robots_that_include_a_file_match_its_entry_once_each(tmp_path: Path) -> None:
    known = written(tmp_path, issue(tmp_path))
    assert known.new([issue(tmp_path)]) == []
    assert known.new([issue(tmp_path)]) == []
    assert not list(known.stale(everything))
