"""Typed values. What is a number is judged by the C locale's strtod, in words of the table."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phyzctl.formats.values import (
    boolean,
    content_number,
    integer,
    integers,
    keyword,
    number,
    numbers,
    string,
)
from phyzctl.formats.xmltree import Node, parse
from phyzctl.issues import Issue, Issues


def node_with(value: str) -> Node:
    escaped = value.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    document = parse(f'<r>\n <link name="arm"\n  v="{escaped}"/></r>'.encode(), "f", Issues())
    assert document.root is not None
    return document.root.children[0]


def only(issues: Issues, code: str) -> Issue:
    (issue,) = issues
    assert issue.code.id == code
    assert issue.source is not None
    assert (issue.source.line, issue.source.column) == (3, 3)
    assert issue.subject == "link 'arm'"
    return issue


def fixed(node: Node, issue: Issue) -> str:
    """The value after the fix."""
    assert issue.fix is not None
    assert not issue.fix.safe
    (edit,) = issue.fix.edits
    data = node.document.data
    repaired = data[: edit.start] + edit.text.encode() + data[edit.end :]
    document = parse(repaired, "f", Issues())
    assert document.root is not None
    return document.root.children[0].attributes["v"]


@pytest.mark.parametrize(
    ("text", "value"),
    [(".5", 0.5), ("1.", 1.0), ("+1", 1.0), ("-1", -1.0), ("1e-3", 0.001), ("1E+3", 1000.0),
     (" 2 ", 2.0), ("\t2\n", 2.0), ("007", 7.0), ("-0", 0.0), ("1e-999", 0.0), (".5e1", 5.0)],
)  # fmt: skip
def test_numbers_that_are_read(text: str, value: float) -> None:
    issues = Issues()
    assert number(node_with(text), "v", issues) == value
    assert list(issues) == []


UNREADABLE = [
    # text, count, code, a piece of the message, the value after the fix
    ("", 1, "X010", "no numbers, expected 1 number", None),
    ("  ", 3, "X010", "no numbers, expected 3 numbers", None),
    ("abc", 1, "X010", '"abc" is not a number', None),
    ("0x10", 1, "X010", "not a number", None),
    ("1_0", 1, "X010", "not a number", None),
    ("\uff11", 1, "X010", "not a number", None),
    ("1.5.2", 1, "X010", "not a number", None),
    ("-1.57.", 1, "X010", "not a number", None),
    ("90deg", 1, "X010", "not a number", None),
    ("1 e3", 2, "X010", "'e3' is not a number", None),
    ("--1", 1, "X010", "not a number", None),
    ("1e", 1, "X010", "not a number", None),
    ("1 2", 3, "X010", "2 numbers, expected 3", None),
    ("1 2 3 4", 3, "X010", "4 numbers, expected 3", None),
    ("1 2", 1, "X010", "2 numbers, expected 1 number", None),
    ("1 2 3 4", (1, 3), "X010", "expected 1 to 3 numbers", None),
    ("1,5", 1, "X011", "decimal comma", "1.5"),
    ("-1,5e3", 1, "X011", "decimal comma", "-1.5e3"),
    ("0,5 0 -1,2", 3, "X011", "decimal comma", "0.5 0 -1.2"),
    ("0,0,0", 3, "X010", "separated by blanks", "0 0 0"),
    ("0, .5 ,-1", 3, "X010", "separated by blanks", "0 .5 -1"),
    ("0, 0, 0,", 3, "X010", "separated by blanks", "0 0 0"),
    ("1,2", 2, "X010", "separated by blanks", "1 2"),
    ("1.5707963,", 1, "X010", "comma behind the number", "1.5707963"),
    ("1,000.5", 1, "X010", "not a number", None),
    ("1,,2", 2, "X010", "not a number", None),
    (",", 1, "X010", "not a number", None),
    ("nan", 1, "X012", "finite", None),
    ("NaN", 1, "X012", "finite", None),
    ("-inf", 1, "X012", "finite", None),
    ("Infinity 0 0", 3, "X012", "finite", None),
    ("1e999", 1, "X012", "finite", None),
    ("nan(7)", 1, "X012", "finite", None),
    ("${mass}", 1, "X013", "macro", None),
    ("0 $(arg x) 0", 3, "X013", "macro", None),
    ("${x},5", 1, "X013", "macro", None),
]


@pytest.mark.parametrize(("text", "count", "code", "words", "repaired"), UNREADABLE)
def test_numbers_that_are_not(
    text: str, count: int | tuple[int, int], code: str, words: str, repaired: str | None
) -> None:
    issues, node = Issues(), node_with(text)
    assert numbers(node, "v", issues, count=count) is None
    issue = only(issues, code)
    assert words in issue.message
    if repaired is None:
        assert issue.fix is None
        return
    assert fixed(node, issue) == repaired
    assert numbers(node_with(repaired), "v", Issues(), count=count) is not None


def test_what_is_not_written_is_none() -> None:
    issues, node = Issues(), node_with("1")
    assert number(node, "w", issues) is None
    assert numbers(node, "w", issues, count=3) is None
    assert integer(node, "w", issues) is None
    assert boolean(node, "w", issues) is None
    assert string(node, "w", issues) is None
    assert keyword(node, "w", issues, ("a",)) is None
    assert list(issues) == []


def test_what_is_required_points_at_the_element() -> None:
    issues, node = Issues(), node_with("1")
    assert number(node, "w", issues, required=True) is None
    assert keyword(node, "w", issues, ("a",), required=True) is None
    assert [issue.code.id for issue in issues] == ["X006", "X006"]
    assert [issue.source for issue in issues] == [node.source, node.source]
    assert all("'w'" in issue.message for issue in issues)


@pytest.mark.parametrize(
    ("text", "value"),
    [("inf", math.inf), ("-INF", -math.inf), ("Infinity", math.inf), ("1", 1.0)],
)
def test_infinity_where_it_is_allowed(text: str, value: float) -> None:
    issues = Issues()
    assert number(node_with(text), "v", issues, allow_inf=True) == value
    assert list(issues) == []


@pytest.mark.parametrize("text", ["nan", "1e999", "-1e400"])
def test_neither_nan_nor_overflow_are_infinity(text: str) -> None:
    issues = Issues()
    assert number(node_with(text), "v", issues, allow_inf=True) is None
    only(issues, "X012")


@pytest.mark.parametrize("allow_inf", [True, False])
def test_a_bad_number_beside_infinity(allow_inf: bool) -> None:
    issues = Issues()
    assert numbers(node_with("inf x"), "v", issues, count=2, allow_inf=allow_inf) is None
    only(issues, "X010" if allow_inf else "X012")


def test_a_wrong_count_of_infinities() -> None:
    issues = Issues()
    assert numbers(node_with("inf inf"), "v", issues, count=3, allow_inf=True) is None
    assert "2 numbers, expected 3" in only(issues, "X010").message


@pytest.mark.parametrize("count", [None, 2, (0, 2), (2, 9)])
def test_counts_that_fit(count: int | tuple[int, int] | None) -> None:
    assert numbers(node_with(" 1\t 2 "), "v", Issues(), count=count) == (1.0, 2.0)


def test_no_numbers_where_any_count_will_do() -> None:
    assert numbers(node_with(""), "v", Issues()) == ()


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=5))
def test_what_python_writes_is_read_back(values: list[float]) -> None:
    issues = Issues()
    text = " ".join(map(repr, values))
    assert numbers(node_with(text), "v", issues, count=len(values)) == tuple(values)
    assert list(issues) == []


@given(st.text("0123456789.,+-eE_ xinfa$({", max_size=12), st.sampled_from([None, 1, 3, (1, 2)]))
def test_a_value_or_an_issue_never_both(text: str, count: int | tuple[int, int] | None) -> None:
    issues = Issues()
    value = numbers(node_with(text), "v", issues, count=count)
    assert (value is None) == (len(issues) == 1)
    assert len(issues) <= 1


@pytest.mark.parametrize(("text", "value"), [("2", 2), (" -7 ", -7), ("2.0", 2), ("1e3", 1000)])
def test_whole_numbers(text: str, value: int) -> None:
    assert integer(node_with(text), "v", Issues()) == value
    assert integers(node_with(text), "v", Issues(), count=1) == (value,)


@pytest.mark.parametrize("text", ["2.5", "1 2", "two", "inf"])
def test_numbers_that_are_not_whole(text: str) -> None:
    issues = Issues()
    assert integer(node_with(text), "v", issues) is None
    assert len(issues) == 1


def test_the_number_that_is_not_whole_is_named() -> None:
    issues = Issues()
    assert integers(node_with("1 2.5 3"), "v", issues, count=3) is None
    assert "2.5" in only(issues, "X010").message


@pytest.mark.parametrize(
    ("text", "value"), [("true", True), ("1", True), ("false", False), (" 0 ", False)]
)
def test_booleans(text: str, value: bool) -> None:
    assert boolean(node_with(text), "v", Issues()) is value


@pytest.mark.parametrize(("text", "near"), [("True", "true"), ("flase", "false"), ("yes", None)])
def test_booleans_that_are_not(text: str, near: str | None) -> None:
    issues, node = Issues(), node_with(text)
    assert boolean(node, "v", issues) is None
    issue = only(issues, "X008")
    assert (fixed(node, issue) if issue.fix else None) == near


TYPES = ("revolute", "continuous", "prismatic", "fixed")


@pytest.mark.parametrize("text", ["fixed", " fixed", "fixed\t"])
def test_keywords(text: str) -> None:
    assert keyword(node_with(text), "v", Issues(), TYPES) == "fixed"


@pytest.mark.parametrize(
    ("text", "near"),
    [("revolut", "revolute"), ("Fixed", "fixed"), ("CONTINUOUS", "continuous"), ("ball", None),
     ("", None)],
)  # fmt: skip
def test_keywords_that_are_unknown(text: str, near: str | None) -> None:
    issues, node = Issues(), node_with(text)
    assert keyword(node, "v", issues, TYPES) is None
    issue = only(issues, "X008")
    assert all(word in issue.message for word in TYPES)
    assert ("did you mean" in issue.message) == (near is not None)
    assert (fixed(node, issue) if issue.fix else None) == near


def test_strings_stand_as_they_are() -> None:
    issues = Issues()
    assert string(node_with(" a & b $ {c} "), "v", issues) == " a & b $ {c} "
    assert list(issues) == []


@pytest.mark.parametrize("text", ["${prefix}arm", "$(find pkg)/mesh.stl"])
def test_macros_left_in_strings(text: str) -> None:
    issues = Issues()
    assert string(node_with(text), "v", issues) is None
    assert keyword(node_with(text), "v", Issues(), TYPES) is None
    only(issues, "X013")


def test_long_values_are_cut_in_messages() -> None:
    issues = Issues()
    assert number(node_with("x" * 5000), "v", issues) is None
    assert len(only(issues, "X010").message) < 100


def test_numbers_that_are_text() -> None:
    document = parse(b"<r><a> 50 </a><b>1,5</b><c/></r>", "f", Issues())
    assert document.root is not None
    a, b, c = document.root.children
    issues = Issues()
    assert content_number(a, issues) == 50.0
    assert list(issues) == []
    assert content_number(b, issues) is None
    assert content_number(c, issues) is None
    comma, nothing = issues
    assert (comma.code.id, nothing.code.id) == ("X011", "X010")
    assert comma.source is not None
    assert comma.source.offset == document.data.index(b"1,5")
