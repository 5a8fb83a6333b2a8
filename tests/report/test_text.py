"""Text: places, carets, summaries, and nothing that commands a terminal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from phyzctl.issues import Issue, Severity, Source
from phyzctl.report.report import Report
from phyzctl.report.text import COLOURED, Style, printable, render, summary_line
from tests.report import cases


def issues_of(**counts: int) -> list[Issue]:
    return [
        Issue(cases.LIMIT, Severity[name.upper()], str(number), Source("a.urdf", number + 1))
        for name, count in counts.items()
        for number in range(count)
    ]


def test_the_whole() -> None:
    assert render(cases.REPORT) == (
        "robots/arm.urdf:3:9: error[J201] joint 'elbow': lower limit 1 is above upper limit -1\n"
        "  fix: swap the two\n"
        "robots/arm.urdf:2:3: warning[X003] <limt> is not known\n"
        "  note: first used here: robots/other.urdf:7:1\n"
        "robots/empty.urdf: info[J207] no links\n"
        "info[J207] link 'a': built in code\n"
        "\n"
        "1 error, 1 warning and 2 infos in 2 of 3 files\n"
    )


def test_without_a_summary() -> None:
    assert render(cases.EMPTY, summary=False) == ""
    assert render(cases.REPORT, summary=False).endswith("built in code\n")


@pytest.mark.parametrize(
    ("counts", "files", "expected"),
    [
        ({}, 0, "no issues in 0 files"),
        ({}, 1, "no issues in 1 file"),
        ({}, 5, "no issues in 5 files"),
        ({"error": 1}, 1, "1 error in 1 file"),
        ({"error": 2, "info": 1}, 1, "2 errors and 1 info in 1 file"),
        ({"warning": 1}, 9, "1 warning in 1 of 9 files"),
        (
            {"error": 1, "warning": 2, "info": 3},
            2,
            "1 error, 2 warnings and 3 infos in 1 of 2 files",
        ),
    ],
)
def test_summary(counts: dict[str, int], files: int, expected: str) -> None:
    paths = [f"{number}.urdf" for number in range(files)]
    assert summary_line(Report(issues_of(**counts), paths)) == expected


# The line meant


def excerpt(text: str, source: Source) -> list[str]:
    issue = replace(cases.NAME_ISSUE, source=source, related=())
    report = Report([issue], [source.path], texts={source.path: text})
    return render(report, excerpts=True, summary=False).splitlines()[1:]


def test_the_caret_underlines_what_is_meant() -> None:
    assert excerpt('<limit lower="1"/>', Source("a", 1, 8, end_column=17)) == [
        '    1 | <limit lower="1"/>',
        "      |        ^~~~~~~~~",
    ]


def test_a_place_without_an_end_is_one_caret() -> None:
    assert excerpt("<robot>", Source("a", 1, 1))[1] == "      | ^"


def test_a_tab_is_one_character_wide() -> None:
    line, caret = excerpt("\t\t<a b='1'/>", Source("a", 1, 6, end_column=11))
    assert line[caret.index("^") :].startswith("b='1'")


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_lines_are_those_that_places_count(line_end: str) -> None:
    text = line_end.join(["<robot>", "  <link/>", "</robot>"])
    assert excerpt(text, Source("a", 2, 3))[0] == "    2 |   <link/>"


@pytest.mark.parametrize(
    "source",
    [Source("a", 9, 1), Source("b", 1, 1), Source("a"), Source("a", 0, 0)],
    ids=["no such line", "no such text", "no line", "line zero"],
)
def test_what_is_not_there_is_not_shown(source: Source) -> None:
    issue = replace(cases.NAME_ISSUE, source=source, related=())
    shown = render(Report([issue], ["a"], texts={"a": "<robot/>"}), excerpts=True, summary=False)
    assert shown.count("\n") == 1


@pytest.mark.parametrize("column", [1, 40, 50_000, 99_999, 100_001, 200_000])
def test_a_line_of_megabytes_is_shown_in_part(column: int) -> None:
    text = "".join(chr(97 + index % 26) for index in range(100_000))
    line, caret = excerpt(text, Source("a", 1, column, end_column=column + 3))
    assert len(line) < 160
    if column <= len(text):
        assert line[caret.index("^")] == text[column - 1]


def test_an_end_before_the_start_is_survived() -> None:
    assert excerpt("<robot>", Source("a", 1, 5, end_column=2))[1] == "      |     ^"


# Colour and control characters


def test_colours_vanish_to_the_plain_text() -> None:
    coloured = render(cases.REPORT, style=COLOURED, excerpts=True)
    plain = coloured
    for code in {*COLOURED.codes.values(), "0"}:
        plain = plain.replace(f"\x1b[{code}m", "")
    assert coloured != plain == render(cases.REPORT, excerpts=True)


def test_the_plain_style_adds_nothing() -> None:
    assert Style()("error", "x") == "x"
    assert Style({"error": "31"})("error", "x") == "\x1b[31mx\x1b[0m"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("two\nlines", "two\\nlines"),
        ("\r", "\\r"),
        ("bell\x07", "bell\\x07"),
        ("\x9b", "\\x9b"),
        ("\u2028", "\\u2028"),
        ("grün ¦ 手", "grün ¦ 手"),
    ],
)
def test_nothing_in_a_file_commands_the_terminal(text: str, expected: str) -> None:
    assert printable(text) == expected
    issue = replace(cases.FILE_ISSUE, message=text, subject=text, source=Source(text, 1, 1))
    shown = render(Report([issue], [text], texts={text: "x"}), excerpts=True, summary=False)
    assert shown.splitlines()[0] == f"{expected}:1:1: info[J207] {expected}: {expected}"
