"""GitHub annotations: one command a line, escaped so that no text ends it early."""

from __future__ import annotations

from dataclasses import replace

from phyzctl.issues import Source
from phyzctl.report.github import render
from phyzctl.report.report import Report
from tests.report import cases


def test_the_whole() -> None:
    assert render(cases.REPORT) == (
        "::error file=robots/arm.urdf,line=3,col=9,endColumn=18,title=phyzctl J201 limit-inverted"
        "::joint 'elbow': lower limit 1 is above upper limit -1%0Afix: swap the two\n"
        "::warning file=robots/arm.urdf,line=2,col=3,title=phyzctl X003 name-near-miss"
        "::<limt> is not known\n"
        "::notice title=phyzctl J207 limit-rounded-past-pi::link 'a': built in code\n"
        "::notice file=robots/empty.urdf,title=phyzctl J207 limit-rounded-past-pi::no links\n"
    )


def test_nothing_for_nothing() -> None:
    assert render(cases.EMPTY) == ""


def test_the_most_serious_come_first() -> None:
    backwards = Report(tuple(reversed(cases.ALL)), cases.FILES)
    assert render(backwards) == render(Report(cases.ALL, cases.FILES))


def test_escaping() -> None:
    source = Source("a:b,c%.urdf", 1)
    issue = replace(cases.FILE_ISSUE, source=source, message="50 %\r\nmore: a, b")
    assert render(Report([issue])) == (
        "::notice file=a%3Ab%2Cc%25.urdf,line=1,title=phyzctl J207 limit-rounded-past-pi"
        "::50 %25%0D%0Amore: a, b\n"
    )


def test_files_are_called_as_the_repository_knows_them() -> None:
    report = replace(cases.REPORT, uris={"robots/arm.urdf": "ws/src/robots/arm.urdf"})
    assert render(report).startswith("::error file=ws/src/robots/arm.urdf,")
