"""JSON text -> values in which every object knows its place in the file.

Python's own parser tells no places. This one does, and says where a fault is; it hands lists of
plain numbers, of which meshes are full, to Python's, which is fast.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from phyzctl.issues import Source

MAX_DEPTH = 64
MAX_VALUES = 3_000_000
MAX_HOLDERS = 100_000  # objects, and lists of other things than numbers

_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")
_WORD = re.compile(r"[-+]?[A-Za-z_]+")
_PLAIN_LIST = re.compile(r"\[[-+.0-9eE, \t\n\r]*\]")
_STRING = re.compile(r'"[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*"')
_SURROGATE = re.compile("[\ud800-\udfff]")
_WORDS = {"true": True, "false": False, "null": None}
_NO_STRING = "a string is not closed, or holds a character that JSON forbids"
_LONGEST_INTEGER = 300  # digits: more than a float can hold


class JsonError(Exception):
    """What is wrong with a text, and at which character; `too_large` where only a cap was hit."""

    def __init__(self, message: str, position: int, *, too_large: bool = False) -> None:
        super().__init__(message)
        self.position = position
        self.too_large = too_large


class PlacedObject(dict[str, Any]):
    """An object, where it stands, and at which characters its values stand, by key."""

    __slots__ = ("places", "source")

    def __init__(self) -> None:
        super().__init__()
        self.source: Source | None = None
        self.places: dict[str, int] = {}


class PlacedList(list[Any]):
    """A list, and at which characters its items stand."""

    __slots__ = ("places",)

    def __init__(self) -> None:
        super().__init__()
        self.places: list[int] = []


class Scanner:
    """Reads one text. `scan` raises `JsonError` at the first thing that is no JSON."""

    def __init__(self, text: str, path: str) -> None:
        self._text = text
        self._path = path
        self._values = 0
        self._holders = 0
        self._line = 1  # of the character `_seen`, and the start of that line
        self._line_start = 0
        self._seen = 0

    def scan(self) -> Any:
        """The value that the whole text stands for."""
        value, end = self._value(self._skip(0), 0)
        end = self._skip(end)
        if end < len(self._text):
            self._fail("something follows the end of the document", end)
        return value

    def _value(self, at: int, depth: int) -> tuple[Any, int]:
        first = self._text[at : at + 1]
        self._count(at)
        if first in ("{", "[") and depth >= MAX_DEPTH:
            raise JsonError(f"values are nested more than {MAX_DEPTH} deep", at, too_large=True)
        if first == "{":
            return self._object(at, depth)
        if first == "[":
            return self._plain_list(at) or self._list(at, depth)
        if first == '"':
            return self._string(at)
        return self._scalar(at)

    def _object(self, at: int, depth: int) -> tuple[PlacedObject, int]:
        self._count_holder(at)
        found = PlacedObject()
        found.source = self._source(at)
        position = self._skip(at + 1)
        while self._text[position : position + 1] != "}":
            key_at = position
            if self._text[position : position + 1] != '"':
                self._fail("a key in double quotes is expected", position)
            key, position = self._string(position)
            if key in found:
                self._fail(f"the key {key!r} stands here twice", key_at)
            position = self._expect(":", self._skip(position))
            found.places[key] = position
            found[key], position = self._value(position, depth + 1)
            position = self._next(position, "}")
        return found, position + 1

    def _list(self, at: int, depth: int) -> tuple[PlacedList, int]:
        self._count_holder(at)
        found = PlacedList()
        position = self._skip(at + 1)
        while self._text[position : position + 1] != "]":
            found.places.append(position)
            value, position = self._value(position, depth + 1)
            found.append(value)
            position = self._next(position, "]")
        return found, position + 1

    def _plain_list(self, at: int) -> tuple[list[float], int] | None:
        """A list of numbers, None for another or a faulty one."""
        match = _PLAIN_LIST.match(self._text, at)
        if match is None:
            return None
        try:
            numbers: list[float] = json.loads(match[0])
        except ValueError:
            return None
        self._count(at, len(numbers))
        return numbers, match.end()

    def _string(self, at: int) -> tuple[str, int]:
        match = _STRING.match(self._text, at)
        if match is None:
            self._fail(_NO_STRING, at)
        try:
            value: str = json.loads(match[0])
        except json.JSONDecodeError:
            self._fail(_NO_STRING, at)
        if _SURROGATE.search(value):
            self._fail("a string holds half a character (a lone surrogate)", at)
        return value, match.end()

    def _scalar(self, at: int) -> tuple[Any, int]:
        if match := _NUMBER.match(self._text, at):
            whole = match[1] is None and match[2] is None and len(match[0]) < _LONGEST_INTEGER
            return (int if whole else float)(match[0]), match.end()
        word = _WORD.match(self._text, at)
        if word and word[0] in _WORDS:
            return _WORDS[word[0]], word.end()
        if word and word[0].strip("+-") in ("NaN", "Infinity"):
            self._fail(f'{word[0]} is no JSON; write "{word[0]}" in quotes', at)
        ended = at == len(self._text)
        raise JsonError("the text ends too early" if ended else "a value is expected", at)

    def _next(self, at: int, closing: str) -> int:
        """Behind a comma, or at the closing bracket."""
        at = self._skip(at)
        if self._text[at : at + 1] == closing:
            return at
        after = self._expect(",", at, f" or {closing!r}")
        if self._text[after : after + 1] == closing:
            self._fail(f"a comma stands before {closing!r}", at)
        return after

    def _expect(self, character: str, at: int, alternative: str = "") -> int:
        if self._text[at : at + 1] != character:
            words = "" if at < len(self._text) else ", but the text ends"
            self._fail(f"{character!r}{alternative} is expected{words}", at)
        return self._skip(at + 1)

    def _skip(self, at: int) -> int:
        match = _SPACE.match(self._text, at)
        return match.end() if match else at

    def _count(self, at: int, more: int = 1) -> None:
        self._values += more
        if self._values > MAX_VALUES:
            raise JsonError(f"the file has more than {MAX_VALUES} values", at, too_large=True)

    def _count_holder(self, at: int) -> None:
        self._holders += 1
        if self._holders > MAX_HOLDERS:
            message = f"the file has more than {MAX_HOLDERS} objects and lists"
            raise JsonError(message, at, too_large=True)

    def _source(self, at: int) -> Source:
        """Objects come in the order of the file, so lines are counted on from the last one."""
        lines = self._text.count("\n", self._seen, at)
        if lines:
            self._line += lines
            self._line_start = self._text.rfind("\n", self._seen, at) + 1
        self._seen = at
        return Source(self._path, self._line, at - self._line_start + 1)

    def _fail(self, message: str, at: int) -> NoReturn:
        raise JsonError(message, at)


def locate(text: str, position: int, path: str) -> Source:
    """The place of a character."""
    line_start = text.rfind("\n", 0, position) + 1
    return Source(path, text.count("\n", 0, position) + 1, position - line_start + 1)
