"""XML that is written: short numbers, escaped text, and no limit to the depth."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from phyzctl.formats.xmlwrite import Element, document, number_text
from phyzctl.robot.elements import Extension


@given(st.floats(allow_nan=False))
def test_a_number_comes_back_exactly(value: float) -> None:
    assert float(number_text(value)) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (1e-7, "1e-07"),
        (100000.0, "100000"),
        (1e22, "1e+22"),
        (1 / 3, "0.3333333333333333"),
        (3, "3"),
        (math.inf, "inf"),
    ],
)
def test_a_number_is_as_short_as_it_can_be(value: float, text: str) -> None:
    assert number_text(value) == text


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")) | st.sampled_from("\t\n\"'<>&")))
def test_any_text_may_be_a_value(text: str) -> None:
    root = etree.fromstring(document(Element("a").set(name=text)).encode())
    assert root.get("name") == text


def test_values_of_all_kinds_and_none() -> None:
    element = Element("joint").set(name="j", range=(-1.0, 2.5), limited=True, ref=None, class_="c")
    assert element.attributes == {"name": "j", "range": "-1 2.5", "limited": "true", "class": "c"}


def test_elements_are_indented_and_verbatim_text_stands_as_it_was() -> None:
    root = Element("robot").set(name="r")
    link = root.new("link", name="a")
    link.keep([Extension("@type", "x"), Extension("gazebo", "<gazebo>\n  <k/></gazebo>")])
    root.add(None)
    assert document(root) == (
        '<?xml version="1.0"?>\n<robot name="r">\n  <link name="a" type="x">\n'
        "    <gazebo>\n  <k/></gazebo>\n  </link>\n</robot>\n"
    )


def test_depth_has_no_limit() -> None:
    root = innermost = Element("body")
    for _ in range(20_000):
        innermost = innermost.new("body")
    assert document(root).count("<body") == 20_001
