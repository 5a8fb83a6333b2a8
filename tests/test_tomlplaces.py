"""Places of TOML keys: by example, and against tomllib for random documents."""

from __future__ import annotations

import json
import string
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phyzctl.tomlplaces import Key, key_places, nearest_place

EXAMPLE = '''\
a = 1 # [x]
"q.r" . b = """x
y = "2" ""\\"" # no comment
z"""
[t.u]
k = [1, [2, 3], {z = 1, y.w = [
  4, # c ]
  5 ]}]
[[p]]
d = 1979-05-27 07:32:00
[[p]]
[p.n]
m='a#b'
[[p.c]]
f = '[a]'
[[p.c]]
  f = 2
\tg = {}
'''


@pytest.mark.parametrize(
    ("key", "place"),
    [
        (("a",), (1, 1)),
        (("q.r", "b"), (2, 9)),
        (("t",), (5, 1)),
        (("t", "u", "k"), (6, 1)),
        (("t", "u", "k", 1), (6, 9)),
        (("t", "u", "k", 1, 1), (6, 13)),
        (("t", "u", "k", 2), (6, 17)),
        (("t", "u", "k", 2, "y", "w"), (6, 27)),
        (("t", "u", "k", 2, "y", "w", 1), (8, 3)),
        (("p",), (9, 1)),
        (("p", 0, "d"), (10, 1)),
        (("p", 1), (11, 1)),
        (("p", 1, "n", "m"), (13, 1)),
        (("p", 1, "c", 0, "f"), (15, 1)),
        (("p", 1, "c", 1), (16, 1)),
        (("p", 1, "c", 1, "f"), (17, 3)),
        (("p", 1, "c", 1, "g"), (18, 2)),
    ],
)
def test_places(key: Key, place: tuple[int, int]) -> None:
    assert key_places(EXAMPLE)[key] == place


def test_the_nearest_thing_around() -> None:
    places = key_places(EXAMPLE)
    assert nearest_place(places, ("p", 1, "n", "nope", "deeper")) == (12, 1)
    assert nearest_place(places, ("p", 7)) == (9, 1)
    assert nearest_place(places, ("nope",)) is None
    assert nearest_place(places, ()) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n# nothing",
        "a = 'x'",
        "a = ''",
        'a = ""',
        "a = ''''''",
        'a = """"""',
        "a = '''it's'''",
        "a = ''''quoted''''",
        'a = """ends with "quotes"""""',
        'a = "\\"# = [1] \\\\"',
        "a = [ ]",
        "a = [\n]",
        "a = [1,]",
        "a = [[], [[]], {}]",
        "a = [\n# c\n'x', # c\n\n2\n]",
        "a.b.c = 1\na.b.d = 2",
        "[a]\n[a.b]\nc = 1\n[d.e.f]",
        "[[a]]\n[[a.b]]\n[[a.b]]\n[[a]]\n[[a.b]]\nc = {d = [{e = 1}]}",
        "[ a . 'b.c' ]\n\"d e\" = 1",
        "a = 1979-05-27T07:32:00.5-07:00\nb = 07:32:00\nc = 1e-5\nd = -inf\ne = 0xdead_beef",
        "a = true\r\nb = [1,\r\n2]\r\n[c]\r\nd = 3\r\n",
        "1 = 1\n-_- = 2",
        '"\\u00e9" = 1',
    ],
)
def test_every_key_of_what_tomllib_reads_has_a_place(text: str) -> None:
    found = key_places(text)
    assert set(found) == set(paths(tomllib.loads(text)))
    lines = text.split("\n")
    for line, column in found.values():
        assert 1 <= column <= len(lines[line - 1])


def paths(value: Any, above: Key = ()) -> Iterator[Key]:
    """The way to everything in a document."""
    items: list[tuple[str | int, Any]] = []
    if isinstance(value, Mapping):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    for key, below in items:
        yield (*above, key)
        yield from paths(below, (*above, key))


keys = st.text(string.ascii_letters + string.digits + " .#=[]{}'é-_", max_size=6)
scalars = st.integers(-99, 99) | st.booleans() | st.text("ab'#=[]{},\n\t\\\"", max_size=8)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3)
)
documents = st.dictionaries(keys, values, max_size=5)


def written(value: Any) -> str:
    """A value as TOML, on one line."""
    if isinstance(value, dict):
        pairs = ", ".join(f"{json.dumps(key)} = {written(each)}" for key, each in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(written, value))}]"
    return json.dumps(value)


def tables(document: dict[str, Any], above: tuple[str, ...] = ()) -> Iterator[str]:
    """A document with headers for its tables, which come last."""
    for key, value in document.items():
        if not isinstance(value, dict):
            yield f"{json.dumps(key)} = {written(value)} # a = [1]"
    for key, value in document.items():
        if isinstance(value, dict):
            way = (*above, key)
            yield f"[ {' . '.join(map(json.dumps, way))} ]"
            yield from tables(value, way)


@given(documents)
@settings(max_examples=60)
def test_random_documents(document: dict[str, Any]) -> None:
    inline = "\n".join(f"{json.dumps(key)} = {written(value)}" for key, value in document.items())
    for text in (inline, "\n".join(tables(document))):
        assert tomllib.loads(text) == document
        assert set(key_places(text)) == set(paths(document))
