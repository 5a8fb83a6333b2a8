"""The JSON parser agrees with Python's, knows places, and gives up in time."""

from __future__ import annotations

import contextlib
import json
import math
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phyzctl.formats.json.scan import MAX_DEPTH, JsonError, PlacedObject, Scanner, locate

_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
)
DOCUMENTS = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=12,
)


def scan(text: str) -> Any:
    return Scanner(text, "a.json").scan()


def fault(text: str) -> JsonError:
    with pytest.raises(JsonError) as caught:
        scan(text)
    return caught.value


@given(DOCUMENTS, st.sampled_from([None, 1, 4]))
def test_what_python_writes_is_read_as_python_reads_it(document: Any, indent: int | None) -> None:
    text = json.dumps(document, indent=indent)
    assert scan(text) == json.loads(text) == document


@given(st.text('[]{}",:0123456789.eE+-truefalsn \n\\', max_size=12))
def test_python_refuses_what_is_refused_and_nothing_else(text: str) -> None:
    with contextlib.suppress(ValueError):
        wanted = json.loads(text, parse_constant=_refuse, object_pairs_hook=_once)
        assert scan(text) == wanted
        return
    fault(text)


def _refuse(word: str) -> None:
    raise ValueError(word)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


FAULTS = {
    "empty": ("", 1, 1, "the text ends too early"),
    "not closed": ('{"a": 1', 1, 8, "',' or '}' is expected, but the text ends"),
    "no colon": ('{"a" 1}', 1, 6, "':' is expected"),
    "no comma": ("[1\n 2]", 2, 2, "',' or ']' is expected"),
    "comma last": ('{"a": [1,\n2],\n}', 2, 3, "a comma stands before '}'"),
    "bare key": ("{a: 1}", 1, 2, "a key in double quotes is expected"),
    "single quotes": ("{'a': 1}", 1, 2, "a key in double quotes is expected"),
    "comment": ("[1, // one\n2]", 1, 5, "a value is expected"),
    "bare NaN": ('{"a":\n  NaN}', 2, 3, 'NaN is no JSON; write "NaN" in quotes'),
    "bare infinity": ("[-Infinity]", 1, 2, '-Infinity is no JSON; write "-Infinity" in quotes'),
    "leading zero": ("[01]", 1, 3, "',' or ']' is expected"),
    "key twice": ('{"a": 1,\n "a": 2}', 2, 2, "the key 'a' stands here twice"),
    "more behind": ("{} {}", 1, 4, "something follows the end of the document"),
    "open string": ('["a]', 1, 2, "a string is not closed, or holds a character that JSON forbids"),
    "lone surrogate": ('["\\ud800"]', 1, 2, "a string holds half a character (a lone surrogate)"),
}


@pytest.mark.parametrize(("text", "line", "column", "words"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_told_with_its_place(text: str, line: int, column: int, words: str) -> None:
    found = fault(text)
    place = locate(text, found.position, "a.json")
    assert (place.line, place.column, str(found)) == (line, column, words)
    assert not found.too_large


def test_objects_know_where_they_stand() -> None:
    document = scan('{"a": {},\n "b": [1, {"c": []},\n\n    {}]}')
    found = [document, document["a"], *document["b"][1:]]
    assert all(isinstance(each, PlacedObject) for each in found)
    places = [(each.source.line, each.source.column) for each in found]
    assert places == [(1, 1), (1, 7), (2, 11), (4, 5)]


def test_numbers_that_no_float_or_short_integer_holds() -> None:
    assert scan("[1e999, -1e999]") == [math.inf, -math.inf]
    assert scan("9" * 5000) == math.inf


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[[" * 500 + "]]" * 500])
def test_depth_is_bounded(text: str) -> None:
    found = fault(text)
    assert found.too_large
    assert str(found) == f"values are nested more than {MAX_DEPTH} deep"


@pytest.mark.parametrize(
    ("item", "cap"), [("1,", "MAX_VALUES"), ('{"a":1},', "MAX_HOLDERS"), ('[""],', "MAX_HOLDERS")]
)
def test_the_number_of_values_is_bounded(
    item: str, cap: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"phyzctl.formats.json.scan.{cap}", 1000)
    found = fault("[" + item * 1001 + "1]")
    assert found.too_large
    assert "more than 1000 " in str(found)


def test_many_objects_take_time_in_proportion() -> None:
    def seconds(count: int) -> float:
        text = "[" + ",\n".join(['{"a": 1}'] * count) + "]"
        start = time.process_time()
        scan(text)
        return time.process_time() - start

    seconds(1000)
    assert seconds(40_000) < 40 * max(seconds(4000), 0.004)
