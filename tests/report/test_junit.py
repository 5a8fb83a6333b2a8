"""JUnit: one suite a file, one test a rule; failures are what fails the run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from phyzctl.issues import Issue
from phyzctl.report.junit import render
from phyzctl.report.report import Report
from tests.report import cases


def suites(report: Report) -> list[ET.Element]:
    return list(ET.fromstring(render(report)))


def test_the_whole() -> None:
    assert (
        render(cases.REPORT)
        == """\
<?xml version="1.0" encoding="utf-8"?>
<testsuites name="phyzctl" tests="5" failures="1" errors="0">
  <testsuite name="robots/arm.urdf" tests="2" failures="1" errors="0" skipped="0" time="0">
    <testcase classname="robots/arm.urdf" name="J201 limit-inverted" time="0">
      <failure type="error" message="joint 'elbow': lower limit 1 is above upper limit -1">\
robots/arm.urdf:3:9: error[J201] joint 'elbow': lower limit 1 is above upper limit -1
  fix: swap the two</failure>
    </testcase>
    <testcase classname="robots/arm.urdf" name="X003 name-near-miss" time="0">
      <system-out>robots/arm.urdf:2:3: warning[X003] &lt;limt&gt; is not known</system-out>
    </testcase>
  </testsuite>
  <testsuite name="robots/empty.urdf" tests="1" failures="0" errors="0" skipped="0" time="0">
    <testcase classname="robots/empty.urdf" name="J207 limit-rounded-past-pi" time="0">
      <system-out>robots/empty.urdf: info[J207] no links</system-out>
    </testcase>
  </testsuite>
  <testsuite name="robots/fine.urdf" tests="1" failures="0" errors="0" skipped="0" time="0">
    <testcase classname="robots/fine.urdf" name="phyzctl" time="0" />
  </testsuite>
  <testsuite name="phyzctl" tests="1" failures="0" errors="0" skipped="0" time="0">
    <testcase classname="phyzctl" name="J207 limit-rounded-past-pi" time="0">
      <system-out>info[J207] link 'a': built in code</system-out>
    </testcase>
  </testsuite>
</testsuites>
"""
    )


def test_files_without_findings_passed() -> None:
    found = suites(cases.EMPTY)
    assert [suite.get("name") for suite in found] == list(cases.FILES)
    assert all(suite.get("tests") == "1" for suite in found)
    assert not [element for suite in found for element in suite.iter("failure")]


def test_a_file_is_a_suite_and_a_rule_a_test() -> None:
    again = replace(cases.LIMIT_ISSUE, subject="joint 'knee'")
    (suite, *_) = suites(Report([cases.LIMIT_ISSUE, again], cases.FILES))
    (case,) = suite
    (failure,) = case
    assert (suite.get("tests"), suite.get("failures")) == ("1", "1")
    assert failure.text is not None
    assert "joint 'elbow'" in failure.text
    assert "joint 'knee'" in failure.text


@pytest.mark.parametrize(
    ("failing", "failures"),
    [
        (None, ["J201"]),
        (frozenset[Issue](), []),
        (frozenset({cases.NAME_ISSUE}), ["X003"]),
        (frozenset(cases.ALL), ["J201", "X003", "J207", "J207"]),
    ],
)
def test_what_fails_the_run_is_a_failure(
    failing: frozenset[Issue] | None, failures: list[str]
) -> None:
    root = ET.fromstring(render(replace(cases.REPORT, failing=failing)))
    failed = [case for case in root.iter("testcase") if case.find("failure") is not None]
    assert [case.get("name", "")[:4] for case in failed] == failures
    assert root.get("failures") == str(len(failures))


def test_one_rule_may_fail_and_warn() -> None:
    mild = replace(cases.LIMIT_ISSUE, message="mild")
    report = Report([cases.LIMIT_ISSUE, mild], failing={cases.LIMIT_ISSUE})
    ((case,),) = suites(report)
    assert [child.tag for child in case] == ["failure", "system-out"]


def test_what_xml_cannot_say_is_spelt_out() -> None:
    nasty = replace(cases.LIMIT_ISSUE, message="a\x00\x1b[31m\ud800\uffff<&>\"' é", subject="x\ny")
    (suite, *_) = suites(Report([nasty]))
    failure = suite[0][0]
    assert failure.get("message") == "x\ny: a\\x00\\x1b[31m\\ud800\\uffff<&>\"' é"


def test_files_are_called_as_the_repository_knows_them() -> None:
    report = replace(cases.REPORT, uris={"robots/arm.urdf": "ws/arm.urdf"})
    assert suites(report)[0].get("name") == "ws/arm.urdf"


def test_a_reader_of_junit_reads_it(tmp_path: Path) -> None:
    junitparser = pytest.importorskip("junitparser")
    path = tmp_path / "report.xml"
    path.write_text(render(cases.REPORT), encoding="utf-8")
    read = junitparser.JUnitXml.fromfile(str(path))
    assert (read.tests, read.failures, read.errors) == (5, 1, 0)
    failed = [case for suite in read for case in suite if not case.is_passed]
    assert [case.name for case in failed] == ["J201 limit-inverted"]
