"""Issues: values with an order; errors that carry them all."""

from __future__ import annotations

import re

import pytest

from phyzctl import codes
from phyzctl.errors import PhyzctlError, did_you_mean, nearest
from phyzctl.issues import BuildError, Code, Issue, Issues, IssuesError, LoadError, Severity, Source


def test_severities_are_ordered_and_have_lower_case_labels() -> None:
    assert Severity.INFO < Severity.WARNING < Severity.ERROR
    assert [severity.label for severity in Severity] == ["info", "warning", "error"]


def test_an_issue_takes_its_codes_severity_unless_told() -> None:
    issues = Issues()
    issues.add(codes.LIMIT_INVERTED, "lower above upper")
    issues.add(codes.LIMIT_INVERTED, "lower above upper", severity=Severity.INFO)
    first, second = issues
    assert first.severity is Severity.ERROR
    assert first.fatal
    assert second.severity is Severity.INFO
    assert not second.fatal
    assert issues.errors == [first]


def issue(code: Code, path: str = "a.urdf", line: int | None = 1, column: int = 1) -> Issue:
    return Issue(code, code.severity, "wrong", Source(path, line, column))


def test_the_most_serious_stand_first_then_by_place_then_by_code() -> None:
    expected = [
        issue(codes.AXIS_ZERO, "a.urdf", 1, 5),
        issue(codes.LIMIT_INVERTED, "a.urdf", 2, 1),
        issue(codes.MASS_NEGATIVE, "b.urdf", 1, 1),
        issue(codes.LIMIT_INVERTED, "b.urdf", 1, 1),
        issue(codes.NAME_NEAR_MISS, "a.urdf", None),
        issue(codes.XML_REPAIRED, "a.urdf", 9),
        issue(codes.KINEMATICS_ONLY, "a.urdf", 1),
    ]
    assert Issues(reversed(expected)).sorted() == expected


def test_those_of_one_code_stand_in_order_of_discovery() -> None:
    issues = Issues([Issue(codes.LIMIT_INVERTED, Severity.ERROR, "first")])
    issues.add(codes.NAME_NEAR_MISS, "second")
    issues.extend([Issue(codes.LIMIT_INVERTED, Severity.INFO, "third", None)])
    issues.add(codes.LIMIT_INVERTED, "fourth")
    assert [issue.message for issue in issues.of(codes.LIMIT_INVERTED)] == [
        "first",
        "third",
        "fourth",
    ]
    assert [issue.message for issue in issues] == ["first", "second", "third", "fourth"]
    assert list(Issues().of(codes.LIMIT_INVERTED)) == []


def test_an_issue_reads_as_one_line() -> None:
    found = Issue(
        codes.LIMIT_INVERTED,
        Severity.ERROR,
        "lower limit 2 is above upper limit 1",
        Source("arm.urdf", 7, 12, element="/robot/joint", offset=301),
        "joint 'elbow'",
    )
    assert str(found) == (
        "arm.urdf:7:12: error[J201] joint 'elbow': lower limit 2 is above upper limit 1"
    )
    assert str(Issue(codes.LOOP, Severity.ERROR, "a loop")) == "error[T402] a loop"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (Source("a.urdf"), "a.urdf"),
        (Source("a.urdf", 3), "a.urdf:3"),
        (Source("a.urdf", 3, 4), "a.urdf:3:4"),
    ],
)
def test_a_place_names_what_it_knows(source: Source, text: str) -> None:
    assert str(source) == text


@pytest.mark.parametrize("kind", [BuildError, LoadError])
def test_an_error_carries_all_issues_and_says_the_first(kind: type[IssuesError]) -> None:
    late, first = issue(codes.LOOP, line=9), issue(codes.AXIS_ZERO, line=2)
    error = kind([late, first])
    assert isinstance(error, PhyzctlError)
    assert error.issues == [first, late]
    assert str(error) == f"{first} (and 1 more)"


def test_codes_have_one_letter_three_digits_and_kebab_names() -> None:
    table = [value for value in vars(codes).values() if isinstance(value, Code)]
    assert len({code.id for code in table}) == len(table)
    assert len({code.name for code in table}) == len(table)
    for code in table:
        assert re.fullmatch(r"[A-Z][0-9]{3}", code.id)
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code.name)
        assert str(code) == code.id


@pytest.mark.parametrize(
    ("name", "known", "match"),
    [
        ("elbw", ["elbow", "wrist"], "elbow"),
        ("elbow", [], None),
        ("zebra", ["elbow", "wrist"], None),
        ("", ["elbow"], None),
    ],
)
def test_the_nearest_name_is_offered_only_when_near(
    name: str, known: list[str], match: str | None
) -> None:
    assert nearest(name, known) == match
    assert did_you_mean(name, known) == (f"; did you mean {match!r}?" if match else "")
