"""TOML as typed values: what each kind takes, and where and how each fault is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from phyzctl import codes
from phyzctl.formats.tomltable import Table, parse_toml
from phyzctl.issues import Issues


def table(text: str) -> tuple[Table, Issues]:
    issues = Issues()
    found = parse_toml(text.encode(), "f.toml", issues)
    assert found is not None
    return found, issues


def told(issues: Issues) -> list[str]:
    return [str(issue) for issue in issues]


SOUND: dict[str, tuple[str, Callable[[Table], Any], Any]] = {
    "number": ("a = 1.5", lambda t: t.number("a"), 1.5),
    "whole number": ("a = 2", lambda t: t.number("a"), 2.0),
    "default": ("", lambda t: t.number("a", 7.0), 7.0),
    "no default": ("", lambda t: t.number("a"), None),
    "bounds": ("a = 1", lambda t: t.number("a", least=1, most=1, above=0), 1.0),
    "integer": ("a = 3", lambda t: t.integer("a", (0, 3)), 3),
    "no integer": ("", lambda t: t.integer("a", (0, 3)), None),
    "whole": ("a = 0", lambda t: t.whole("a"), 0),
    "no whole": ("", lambda t: t.whole("a"), None),
    "word": ("a = 'x'", lambda t: t.word("a", ("x", "y")), "x"),
    "no word": ("", lambda t: t.word("a", ("x", "y")), None),
    "name": ("a = 'x'", lambda t: t.name("a"), "x"),
    "no name": ("", lambda t: t.name("a"), None),
    "names": ("a = ['x', 'y']", lambda t: t.names("a"), ["x", "y"]),
    "no names": ("", lambda t: t.names("a"), []),
    "vector": ("a = [1, 2.5]", lambda t: t.vector("a", 2), (1.0, 2.5)),
    "no vector": ("", lambda t: t.vector("a", 2), None),
    "place": ("\n a = 1", lambda t: str(t.place("a")), "f.toml:2:2"),
    "text": ("a = 'x'", lambda t: t.text("a"), "x"),
    "default text": ("", lambda t: t.text("a", "y"), "y"),
    "flag": ("a = true", lambda t: t.flag("a"), True),
    "default flag": ("", lambda t: t.flag("a", default=True), True),
    "rows": ("a = [[1, 2], [3.5, 4]]", lambda t: t.rows("a", 2), [(1, 2), (3.5, 4)]),
    "no rows": ("", lambda t: t.rows("a", 2), None),
    "numbers": ("a = [1, 2.5]", lambda t: t.numbers("a"), [1, 2.5]),
    "table": ("[a]\nb = 1", lambda t: t.table("a").number("b"), 1),
    "no table": ("", lambda t: t.table("a").number("b"), None),
    "tables": (
        "[[a]]\nb = 1\n[[a]]\nb = 2",
        lambda t: [each.number("b") for each in t.tables("a")],
        [1, 2],
    ),
    "states": ("a = 1", lambda t: (t.states("a"), t.states("b")), (True, False)),
}


@pytest.mark.parametrize(("text", "ask", "expected"), SOUND.values(), ids=SOUND)
def test_sound_values(text: str, ask: Callable[[Table], Any], expected: Any) -> None:
    found, issues = table(text)
    assert ask(found) == expected
    found.asked.add("a")
    found.finish()
    assert told(issues) == []


FAULTY: dict[str, tuple[str, Callable[[Table], Any], str]] = {
    "no number": (
        "\na = 'x'",
        lambda t: t.number("a", 1.0),
        "2:1: error[E004] 'a' must be a number, not 'x'",
    ),
    "true": (
        "a = true",
        lambda t: t.number("a"),
        "1:1: error[E004] 'a' must be a number, not true",
    ),
    "nan": (
        " a = nan",
        lambda t: t.number("a"),
        "1:2: error[E005] 'a' must be a finite number, not nan",
    ),
    "infinite": (
        "a = inf",
        lambda t: t.number("a"),
        "1:1: error[E005] 'a' must be a finite number, not inf",
    ),
    "huge": (
        f"a = {10**400}",
        lambda t: t.number("a"),
        "1:1: error[E005] 'a' must be a finite number, not 1000",
    ),
    "not above": (
        "a = 0",
        lambda t: t.number("a", above=0),
        "1:1: error[E005] 'a' must be a finite number above 0, not 0",
    ),
    "too small": (
        "a = -1",
        lambda t: t.number("a", least=0),
        "error[E005] 'a' must be a finite number of at least 0, not -1",
    ),
    "too large": (
        "a = 3",
        lambda t: t.number("a", most=2),
        "error[E005] 'a' must be a finite number of at most 2, not 3",
    ),
    "outside": (
        "a = 3",
        lambda t: t.number("a", least=-2, most=2),
        "error[E005] 'a' must be a finite number of at least -2 and at most 2, not 3",
    ),
    "missing": (
        "[t]\nb = 1",
        lambda t: t.table("t").number("a", required=True),
        "1:1: error[E003] the key 'a' is missing",
    ),
    "missing at top": (
        "b = 1",
        lambda t: t.number("a", required=True),
        "1:1: error[E003] the key 'a' is missing",
    ),
    "float": (
        "a = 1.0",
        lambda t: t.integer("a", (1, 2)),
        "error[E004] 'a' must be an integer, not 1.0",
    ),
    "false": (
        "a = false",
        lambda t: t.integer("a", (0, 1)),
        "error[E004] 'a' must be an integer, not false",
    ),
    "other integer": (
        "a = 4",
        lambda t: t.integer("a", (0, 1, 2)),
        "error[E005] 'a' must be 0, 1 or 2, not 4",
    ),
    "missing integer": (
        "",
        lambda t: t.integer("a", (0, 1), required=True),
        "1:1: error[E003] the key 'a' is missing",
    ),
    "no text": ("a = 1", lambda t: t.text("a"), "error[E004] 'a' must be a string, not 1"),
    "no flag": ("a = 1", lambda t: t.flag("a"), "error[E004] 'a' must be true or false, not 1"),
    "no rows": (
        "a = 1",
        lambda t: t.rows("a", 2),
        "error[E004] 'a' must be a list of lists of 2 numbers, not 1",
    ),
    "short row": (
        "a = [[1, 2],\n [3]]",
        lambda t: t.rows("a", 2),
        "2:2: error[E004] 'a' must be a list of lists of 2 numbers, not [3]",
    ),
    "text in row": (
        "a = [[1, 'x']]",
        lambda t: t.rows("a", 2),
        "1:6: error[E004] 'a' must be a list of lists of 2 numbers",
    ),
    "nan in row": (
        "a = [[1, nan]]",
        lambda t: t.rows("a", 2),
        "1:6: error[E005] 'a' must be finite numbers, not [1, nan]",
    ),
    "empty rows": ("a = []", lambda t: t.rows("a", 2), "1:1: error[E005] 'a' must not be empty"),
    "no numbers": (
        "a = {}",
        lambda t: t.numbers("a"),
        "error[E004] 'a' must be a list of numbers, not a table",
    ),
    "text in numbers": (
        "a = [1,\n'x']",
        lambda t: t.numbers("a"),
        "2:1: error[E004] 'a' must be a list of numbers, not 'x'",
    ),
    "negative in numbers": (
        "a = [1, -1]",
        lambda t: t.numbers("a", least=0),
        "1:9: error[E005] 'a' must be a finite number of at least 0, not -1",
    ),
    "no table": ("a = 1", lambda t: t.table("a"), "error[E004] 'a' must be a table, not 1"),
    "no tables": (
        "[a]",
        lambda t: list(t.tables("a")),
        "error[E004] 'a' must be a list of tables, not a table",
    ),
    "one is no table": (
        "a = [{}, 1]",
        lambda t: list(t.tables("a"))[1:],
        "1:10: error[E004] 'a' must be a list of tables, not 1",
    ),
    "no tables at all": (
        "a = []",
        lambda t: list(t.tables("a", required=True)),
        "error[E005] 'a' must not be empty",
    ),
    "missing tables": (
        "",
        lambda t: list(t.tables("a", required=True)),
        "error[E003] the key 'a' is missing",
    ),
    "date": (
        "a = 2020-01-01",
        lambda t: t.number("a"),
        "error[E004] 'a' must be a number, not 2020-01-01",
    ),
    "long": (f"a = '{'x' * 99}'", lambda t: t.number("a"), "xxx..."),
}


@pytest.mark.parametrize(("text", "ask", "message"), FAULTY.values(), ids=FAULTY)
def test_a_fault_gives_one_issue_with_its_place(
    text: str, ask: Callable[[Table], Any], message: str
) -> None:
    found, issues = table(text)
    value = ask(found)
    assert value in (None, "", False, []) or isinstance(value, Table)
    (said,) = told(issues)
    assert said.startswith("f.toml:")
    assert message in said


def test_keys_that_nobody_asks_for() -> None:
    found, issues = table("half = 1\nhlaf = 2\n[t]\nx = 1")
    found.number("half")
    found.table("t").finish()
    found.finish()
    assert told(issues) == [
        "f.toml:4:1: error[E002] unknown key 'x'; none is known here",
        "f.toml:2:1: error[E002] unknown key 'hlaf'; did you mean 'half'?",
    ]


MALFORMED = {
    "no value": (b"a = 1\nb = ", "2:5: error[E001] this is not TOML: invalid value"),
    "twice": (b"a = 1\na = 2\n", "2:6: error[E001] this is not TOML: cannot overwrite a value"),
    "unclosed": (b"a = [1,\n2", "2:2: error[E001] this is not TOML: "),
    "nothing but a key": (b"abc", "1:4: error[E001] this is not TOML: "),
    "no text": (b"a = 1\nb = '\xff'", "2:6: error[E001] this is not UTF-8: invalid start byte"),
    "xml": (b"<robot/>", "1:1: error[E001] this is not TOML: invalid statement"),
    "nul": (b"a = 1\x00", "error[E001] this is not TOML: "),
    "too many digits": (b"a = " + b"9" * 5000, "1:1: error[E001] this is not TOML: "),
    "too deep": (b"a = " + b"[" * 3000 + b"]" * 3000, "is not TOML: it is nested too deeply"),
}


@pytest.mark.parametrize(("data", "message"), MALFORMED.values(), ids=MALFORMED)
def test_what_is_no_toml(data: bytes, message: str) -> None:
    issues = Issues()
    assert parse_toml(data, "f.toml", issues) is None
    (issue,) = issues
    assert issue.code is codes.TOML_MALFORMED
    assert message in str(issue)


def test_a_byte_order_mark_and_windows_lines_shift_nothing() -> None:
    issues = Issues()
    found = parse_toml(b"\xef\xbb\xbfa = 'x'\r\nb = 'y'\r\n", "f.toml", issues)
    assert found is not None
    found.number("a")
    found.number("b")
    places = [(issue.source.line, issue.source.column) for issue in issues if issue.source]
    assert places == [(1, 1), (2, 1)]
