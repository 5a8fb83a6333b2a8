"""Where the keys of a TOML text stand, which `tomllib` does not tell.

The scanner trusts that `tomllib` has accepted the text, so it need not know what numbers or dates
look like: it only follows brackets, quotes, commas and comments.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

Key = tuple[str | int, ...]

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}(?!")'
    r"|'''.*?'{3,5}(?!')"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
# tomllib takes memory by the square of the parts of a dotted key.
_DEEP_KEY = re.compile(r"(?<![\w\"'-])(?:[\w\"'-]++[ \t]*+\.[ \t]*+){100}")
_TOO_DEEP = "it is nested too deeply"
_SCALAR = re.compile(r"[^,\]}#\n]*")


def load_toml(text: str) -> dict[str, Any]:
    """The document that a TOML text says. Raises ValueError, whatever is wrong with it."""
    import tomllib  # most files of settings don't speak of phyzctl, and are not read

    if _DEEP_KEY.search(text):
        raise ValueError(_TOO_DEEP)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None


class Place(NamedTuple):
    """A place in a text: line and column from 1, in characters."""

    line: int
    column: int


def key_places(text: str) -> Mapping[Key, Place]:
    """The place of every table, key and array item, by its path.

    Paths hold keys, and indices within arrays: `("pushes", 1, "duration")`. The place is that of
    the key; of items without a key it is that of the value or the `[[header]]`.
    """
    return _Scanner(text).places()


def nearest_place(places: Mapping[Key, Place], key: Key) -> Place | None:
    """The place of a key, or else of the nearest thing around it that has one."""
    for count in range(len(key), 0, -1):
        if key[:count] in places:
            return places[key[:count]]
    return None


class _Scanner:
    """Walks through a text and notes where keys are."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line = 1
        self.line_start = 0
        self.found: dict[Key, Place] = {}
        self.lengths: dict[Key, int] = {}  # of arrays of tables, so far

    def places(self) -> Mapping[Key, Place]:
        table: Key = ()
        self._skip(_BLANK)
        while self.at < len(self.text):
            if self._peek() == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip(_BLANK)
        return self.found

    def _header(self) -> Key:
        place = self._place()
        is_item = self.text.startswith("[[", self.at)
        self._step(2 if is_item else 1)
        *parents, last = (name for name, _ in self._dotted())
        path: Key = ()
        for name in parents:
            path = self._latest((*path, name))
            self._note(path, place)
        path = (*path, last)
        self._note(path, place)
        if is_item:
            index = self.lengths.get(path, 0)
            self.lengths[path] = index + 1
            path = (*path, index)
            self._note(path, place)
        self._step(2 if is_item else 1)
        return path

    def _latest(self, path: Key) -> Key:
        """What a header means by the name of an array of tables: its last item."""
        return (*path, self.lengths[path] - 1) if path in self.lengths else path

    def _pair(self, table: Key) -> None:
        path = table
        for name, place in self._dotted():
            path = (*path, name)
            self._note(path, place)
        self._step(1)  # the equals sign
        self._skip(_SPACE)
        self._value(path)

    def _dotted(self) -> list[tuple[str, Place]]:
        """A dotted key: each part with its place."""
        parts = []
        while True:
            self._skip(_SPACE)
            place = self._place()
            quoted = self._peek() in "\"'"
            word = self._skip(_STRING if quoted else _BARE)
            name = load_toml(f"x = {word}")["x"] if quoted else word
            parts.append((name, place))
            self._skip(_SPACE)
            if self._peek() != ".":
                return parts
            self._step(1)

    def _value(self, path: Key) -> None:
        first = self._peek()
        if first == "[":
            self._array(path)
        elif first == "{":
            self._inline_table(path)
        elif first and first in "\"'":
            self._skip(_STRING)
        else:
            self._skip(_SCALAR)

    def _array(self, path: Key) -> None:
        self._step(1)
        self._skip(_BLANK)
        index = 0
        while self._peek() not in ("]", ""):
            self._note((*path, index), self._place())
            self._value((*path, index))
            self._separator()
            index += 1
        self._step(1)

    def _inline_table(self, path: Key) -> None:
        self._step(1)
        self._skip(_BLANK)
        while self._peek() not in ("}", ""):
            self._pair(path)
            self._separator()
        self._step(1)

    def _separator(self) -> None:
        self._skip(_BLANK)
        if self._peek() == ",":
            self._step(1)
            self._skip(_BLANK)

    def _note(self, path: Key, place: Place) -> None:
        self.found.setdefault(path, place)

    def _place(self) -> Place:
        return Place(self.line, self.at - self.line_start + 1)

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _step(self, count: int) -> None:
        self.at += count

    def _skip(self, pattern: re.Pattern[str]) -> str:
        """Pass what the pattern matches here."""
        match = pattern.match(self.text, self.at)
        passed = match.group() if match else ""
        newlines = passed.count("\n")
        if newlines:
            self.line += newlines
            self.line_start = self.at + passed.rindex("\n") + 1
        self.at += len(passed)
        return passed
