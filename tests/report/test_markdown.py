"""Markdown: a table a file, in which no text of a user's file can start markup."""

from __future__ import annotations

from dataclasses import replace

import pytest

from phyzctl.issues import Source
from phyzctl.report.markdown import render
from phyzctl.report.report import Report
from tests.report import cases


def row(report: Report) -> str:
    """The first row of the first table."""
    lines = render(report).splitlines()
    return lines[lines.index("|---|---|---|---|") + 1]


def test_the_whole() -> None:
    assert render(cases.REPORT) == (
        "## phyzctl: 1 error, 1 warning and 2 infos in 2 of 3 files\n\n"
        "### robots/arm.urdf\n\n"
        "| | line | rule | |\n"
        "|---|---|---|---|\n"
        "| ❌ error | 3:9 | `J201` limit-inverted | joint 'elbow': lower limit 1 is above upper "
        "limit -1<br>fix: swap the two |\n"
        "| ⚠️ warning | 2:3 | `X003` name-near-miss | &lt;limt&gt; is not known |\n\n"
        "### robots/empty.urdf\n\n"
        "| | line | rule | |\n"
        "|---|---|---|---|\n"
        "| ℹ️ info |  | `J207` limit-rounded-past-pi | no links |\n\n"  # noqa: RUF001
        "| | line | rule | |\n"
        "|---|---|---|---|\n"
        "| ℹ️ info |  | `J207` limit-rounded-past-pi | link 'a': built in code |\n\n"  # noqa: RUF001
        "<details><summary>J201 limit-inverted: Limits the wrong way round.</summary>\n\n"
        "Limits…\n\n**Fix**\n\nSwap.\n\n"
        "</details>\n"
    )


def test_nothing_but_the_headline_for_nothing() -> None:
    assert render(cases.EMPTY) == "## phyzctl: no issues in 3 files\n"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a | b", r"a \| b"),
        ("a\nb\r\x1b", r"a\\nb\\r\\x1b"),
        ("<script>&", "&lt;script&gt;&amp;"),
        ("*a* _b_ `c` [d](e) #1 ~f~ $g$", r"\*a\* \_b\_ \`c\` \[d\](e) \#1 \~f\~ \$g\$"),
    ],
)
def test_no_text_of_a_file_starts_markup(text: str, wanted: str) -> None:
    issue = replace(cases.FILE_ISSUE, message=text)
    assert row(Report([issue])).endswith(f"| {wanted} |")
    assert row(Report([replace(issue, message="", subject=text)])).endswith(f"| {wanted}:  |")


def test_a_path_is_a_heading_without_markup() -> None:
    issue = replace(cases.FILE_ISSUE, source=Source("my_arm/<x>.urdf", 4))
    assert "### my\\_arm/&lt;x&gt;.urdf\n" in render(Report([issue]))
    assert "| 4 |" in row(Report([issue]))


def test_files_are_called_as_the_repository_knows_them() -> None:
    report = replace(cases.REPORT, uris={"robots/arm.urdf": "ws/arm.urdf"})
    assert "### ws/arm.urdf\n" in render(report)


def test_very_many_findings_are_counted_only() -> None:
    many = [
        replace(cases.NAME_ISSUE, message=f"{number:05} {'x' * 5000}") for number in range(5000)
    ]
    text = render(Report(many))
    assert "… and 4700 more findings." in text
    assert "00299" in text
    assert "00300" not in text
    assert len(text.encode()) < 1 << 20


def test_a_rule_is_explained_once() -> None:
    twice = replace(cases.REPORT, issues=[cases.LIMIT_ISSUE, cases.LIMIT_ISSUE])
    assert render(twice).count("<details>") == 1
