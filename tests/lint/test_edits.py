"""Byte edits: nothing changes but what is meant, whatever stands around it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phyzctl.formats.xmltree import Node, parse
from phyzctl.issues import Issues
from phyzctl.lint.edits import (
    Edit,
    append_child,
    degrees_as_radians,
    number,
    numbers,
    quarter_turns,
    remove_attributes,
    remove_element,
    set_attribute,
)


def root_of(text: str) -> Node:
    root = parse(text.encode(), "a.xml", Issues()).root
    assert root is not None
    return root


def edited(text: str, *edits: Edit) -> str:
    data = text.encode()
    for start, end, new in sorted(edits, reverse=True):
        data = data[:start] + new.encode() + data[end:]
    return data.decode()


@given(st.floats(allow_nan=False))
def test_a_number_reads_back_as_itself(value: float) -> None:
    assert float(number(value)) == value


@pytest.mark.parametrize(
    ("value", "text"), [(1.0, "1"), (-2.0, "-2"), (0.1, "0.1"), (1e-9, "1e-09"), (1e22, "1e+22")]
)
def test_a_number_is_short(value: float, text: str) -> None:
    assert number(value) == text


def test_angles_in_radians() -> None:
    assert degrees_as_radians([0, 90, -180]) == f"0 {math.pi / 2!r} {-math.pi!r}"
    assert numbers([1, 0.5]) == "1 0.5"


@given(st.integers(-8, 8).filter(bool))
def test_quarter_turns_are_never_beyond(count: int) -> None:
    value = float(quarter_turns(count))
    exact = count * math.pi / 2
    assert abs(value) <= abs(exact)
    assert value == pytest.approx(exact, rel=1e-15)


def test_quarter_turns_are_written_as_everybody_writes_them() -> None:
    assert quarter_turns(2) == "3.141592653589793"
    assert quarter_turns(-1) == "-1.570796326794896"


SETTINGS = {
    "double quotes": ('<a x="1" y="2"/>', "x", "3", '<a x="3" y="2"/>'),
    "single quotes": ("<a x='1'/>", "x", "3", "<a x='3'/>"),
    "blanks and lines": ('<a\n  x = "1"\n/>', "x", "3", '<a\n  x = "3"\n/>'),
    "not written": ('<a x="1"/>', "y", "2", '<a x="1" y="2"/>'),
    "no attributes": ("<a/>", "y", "2", '<a y="2"/>'),
    "with content": ("<a >text</a>", "y", "2", '<a y="2" >text</a>'),
    "letters beyond ASCII": ('<a n="ä" x="1"/>', "x", "ö", '<a n="ä" x="ö"/>'),
    "marks that need escaping": ('<a x="1"/>', "x", "<\"&'", '<a x="&lt;&quot;&amp;&apos;"/>'),
}


@pytest.mark.parametrize(("text", "name", "value", "wanted"), SETTINGS.values(), ids=SETTINGS)
def test_set_attribute(text: str, name: str, value: str, wanted: str) -> None:
    result = edited(text, set_attribute(root_of(text), name, value))
    assert result == wanted
    assert root_of(result).get(name) == value


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20))
def test_any_value_can_be_set(value: str) -> None:
    text = '<a x="1"/>'
    assert root_of(edited(text, set_attribute(root_of(text), "x", value))).get("x") == value


def test_remove_attributes() -> None:
    text = '<a x="1"\n   y="2" z=\'3\'/>'
    assert edited(text, *remove_attributes(root_of(text), ["y", "z", "w"])) == '<a x="1"/>'


def test_remove_element() -> None:
    text = "<a>\n  <b/>\n  <c>\n    <d/>\n  </c>\n</a>"
    assert edited(text, remove_element(root_of(text).children[1])) == "<a>\n  <b/>\n</a>"


def test_append_child_takes_the_indentation_of_the_last() -> None:
    text = "<a>\n    <b/>\n</a>"
    edit = append_child(root_of(text), "<c/>")
    assert edit is not None
    assert edited(text, edit) == "<a>\n    <b/>\n    <c/>\n</a>"


def test_append_child_knows_no_indentation_without_children() -> None:
    assert append_child(root_of("<a/>"), "<c/>") is None
