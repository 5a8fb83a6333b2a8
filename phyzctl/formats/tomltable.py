"""TOML documents as typed values: every fault an Issue with its place, and reading goes on.

A `Table` is asked for its keys by kind; what it is not asked for by the time of `finish` is
unknown. A faulty number gives its Issue and None, so that nothing is judged by a default that
its author did not choose.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from phyzctl import codes
from phyzctl.errors import did_you_mean
from phyzctl.issues import Code, Issues, Source
from phyzctl.records import dataclass
from phyzctl.tomlplaces import Key, Place, key_places, load_toml, nearest_place

_PLACE = re.compile(r" ?\(at (?:line (\d+), column (\d+)|end of document)\)$")


@dataclass(frozen=True)
class _File:
    path: str
    places: Mapping[Key, Place]
    issues: Issues

    def fault(self, code: Code, key: Key, message: str) -> None:
        self.issues.add(code, message, source=self.source(key))

    def source(self, key: Key) -> Source:
        place = nearest_place(self.places, key)
        line, column = place if place is not None else (1, 1)
        return Source(self.path, line, column)


def parse_toml(data: bytes, path: str, issues: Issues) -> Table | None:
    """The document in a file's bytes; None, with one Issue, when it is no TOML."""
    import tomllib

    try:
        text = data.decode("utf-8-sig")
        document = load_toml(text)
        file = _File(path, key_places(text.replace("\r\n", "\n")), issues)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        message = f"this is not UTF-8: {error.reason}"
        issues.add(codes.TOML_MALFORMED, message, source=Source(path, line, column))
    except tomllib.TOMLDecodeError as error:
        message, line, column = _told(str(error), text)
        issues.add(codes.TOML_MALFORMED, message, source=Source(path, line, column))
    except ValueError as error:  # nested too deeply, or a number of thousands of digits
        message = f"this is not TOML: {error}"
        issues.add(codes.TOML_MALFORMED, message, source=Source(path, 1, 1))
    else:
        return Table(file, (), document)
    return None


def _told(message: str, text: str) -> tuple[str, int, int]:
    """What tomllib says, without its place; and the place."""
    match = _PLACE.search(message)
    said = message[: match.start()] if match else message
    if match and match[1]:
        line, column = int(match[1]), int(match[2])
    else:
        lines = text.splitlines() or [""]
        line, column = len(lines), len(lines[-1]) + 1
    return f"this is not TOML: {said[:1].lower()}{said[1:]}", line, column


@dataclass
class Table:
    """One table of a document; `path` is the way to it."""

    file: _File
    path: Key
    values: Mapping[str, Any]
    asked: set[str] = field(default_factory=set)

    def number(
        self,
        key: str,
        default: float | None = None,
        *,
        required: bool = False,
        above: float = -math.inf,
        least: float = -math.inf,
        most: float = math.inf,
    ) -> float | None:
        """A finite number within bounds; `above` is one that it must not reach."""
        value = self._value(key, required=required)
        if value is None:
            return default
        number = _real(value)
        if number is None:
            self._wrong_type(key, "a number", value)
        elif not (math.isfinite(number) and above < number and least <= number <= most):
            self.outside(key, f"must be {_range(above, least, most)}, not {_shown(value)}")
        else:
            return number
        return None

    def integer(self, key: str, choices: Sequence[int], *, required: bool = False) -> int | None:
        """One of some integers."""
        value = self._value(key, required=required)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            self._wrong_type(key, "an integer", value)
        elif value not in choices:
            *most, last = choices
            known = f"{', '.join(str(each) for each in most)} or {last}"
            self.outside(key, f"must be {known}, not {value}")
        else:
            return value
        return None

    def whole(self, key: str, *, least: int = 0) -> int | None:
        """An integer from `least` on."""
        value = self._value(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            self._wrong_type(key, "an integer", value)
        elif value < least:
            self.outside(key, f"must be at least {least}, not {_shown(value)}")
        else:
            return value
        return None

    def text(self, key: str, default: str = "") -> str:
        """A string."""
        value = self._value(key)
        if value is None:
            return default
        if not isinstance(value, str):
            self._wrong_type(key, "a string", value)
            return default
        return value

    def word(self, key: str, choices: Sequence[str], *, required: bool = False) -> str | None:
        """One of some words."""
        value = self._value(key, required=required)
        if value is None:
            return None
        if not isinstance(value, str):
            self._wrong_type(key, "a string", value)
        elif value not in choices:
            hint = did_you_mean(value, choices) or f"; there are {', '.join(choices)}"
            self.outside(key, f"must not be {value!r}{hint}")
        else:
            return value
        return None

    def name(self, key: str, *, required: bool = False) -> str | None:
        """A string that is not empty."""
        value = self._value(key, required=required)
        if value is None:
            return None
        if not isinstance(value, str):
            self._wrong_type(key, "a string", value)
        elif not value:
            self.outside(key, "must not be empty")
        else:
            return value
        return None

    def names(self, key: str) -> list[str]:
        """A list of strings, none of them empty; what is none is left out, with an Issue."""
        found = []
        for index, each in enumerate(self._list(key, "a list of strings")):
            if not isinstance(each, str):
                self._wrong_type(key, "a list of strings", each, index)
            elif not each:
                self.outside(key, "must not hold an empty string", index)
            else:
                found.append(each)
        return found

    def vector(
        self, key: str, width: int, *, required: bool = False, above: float = -math.inf
    ) -> tuple[float, ...] | None:
        """A list of `width` finite numbers, each above a bound."""
        value = self._value(key, required=required)
        if value is None:
            return None
        wanted = f"a list of {width} numbers"
        numbers = [_real(each) for each in value] if isinstance(value, list) else []
        found = tuple(each for each in numbers if each is not None)
        if len(found) != width or len(numbers) != width:
            self._wrong_type(key, wanted, value)
        elif not all(math.isfinite(each) and each > above for each in found):
            bound = "finite numbers" if above == -math.inf else f"finite numbers above {above:g}"
            self.outside(key, f"must be {bound}, not {_shown(value)}")
        else:
            return found
        return None

    def place(self, *below: str | int) -> Source:
        """Where the table, or what is on the way `below` it, stands."""
        return self.file.source((*self.path, *below))

    def flag(self, key: str, *, default: bool = False) -> bool:
        """True or false."""
        value = self._value(key)
        if value is None:
            return default
        if not isinstance(value, bool):
            self._wrong_type(key, "true or false", value)
            return default
        return value

    def rows(self, key: str, width: int) -> list[tuple[float, ...]] | None:
        """A list of lists of `width` finite numbers each; None when it is not all of that."""
        wanted = f"a list of lists of {width} numbers"
        rows: list[tuple[float, ...]] = []
        for index, row in enumerate(self._list(key, wanted)):
            numbers = [_real(each) for each in row] if isinstance(row, list) else []
            found = tuple(each for each in numbers if each is not None)
            if len(found) != width or len(numbers) != width:
                self._wrong_type(key, wanted, row, index)
                return None
            if not all(map(math.isfinite, found)):
                self.outside(key, f"must be finite numbers, not {_shown(row)}", index)
                return None
            rows.append(found)
        return rows or None

    def numbers(self, key: str, *, least: float = -math.inf) -> list[float] | None:
        """A list of finite numbers; None when it is not all of that."""
        wanted = "a list of numbers"
        numbers: list[float] = []
        for index, each in enumerate(self._list(key, wanted)):
            number = _real(each)
            if number is None:
                self._wrong_type(key, wanted, each, index)
                return None
            if not (math.isfinite(number) and number >= least):
                bounds = _range(-math.inf, least, math.inf)
                self.outside(key, f"must be {bounds}, not {_shown(each)}", index)
                return None
            numbers.append(number)
        return numbers or None

    def table(self, key: str) -> Table:
        """A table within; an empty one when it isn't there."""
        value = self._value(key)
        if value is not None and not isinstance(value, dict):
            self._wrong_type(key, "a table", value)
        return Table(self.file, (*self.path, key), value if isinstance(value, dict) else {})

    def tables(self, key: str, *, required: bool = False) -> Iterator[Table]:
        """The tables in a list, those that are tables."""
        wanted = "a list of tables"
        for index, each in enumerate(self._list(key, wanted, required=required)):
            if isinstance(each, dict):
                yield Table(self.file, (*self.path, key, index), each)
            else:
                self._wrong_type(key, wanted, each, index)

    def states(self, key: str) -> bool:
        """True when the key is there, whatever its value."""
        return key in self.values

    def finish(self) -> None:
        """Report the keys that nobody has asked for."""
        for key in self.values:
            if key not in self.asked:
                known = sorted(self.asked)
                choices = f"the keys are {', '.join(known)}" if known else "none is known here"
                hint = did_you_mean(key, known) or f"; {choices}"
                self.fault(codes.KEY_UNKNOWN, f"unknown key {key!r}{hint}", key)

    def outside(self, key: str, message: str, *below: str | int) -> None:
        """Report a value that makes no sense; the message goes on behind the key's name."""
        self.fault(codes.VALUE_OUTSIDE, f"{key!r} {message}", key, *below)

    def fault(self, code: Code, message: str, *below: str | int) -> None:
        """Report a fault of the table, or of what is on the way `below` it."""
        self.file.fault(code, (*self.path, *below), message)

    def _value(self, key: str, *, required: bool = False) -> Any:
        self.asked.add(key)
        if required and key not in self.values:
            self.fault(codes.KEY_MISSING, f"the key {key!r} is missing")
        return self.values.get(key)

    def _list(self, key: str, wanted: str, *, required: bool = False) -> list[Any]:
        """A list that, when it is there, is not empty."""
        value = self._value(key, required=required)
        if value is None:
            return []
        if not isinstance(value, list):
            self._wrong_type(key, wanted, value)
            return []
        if not value:
            self.outside(key, "must not be empty")
        return value

    def _wrong_type(self, key: str, wanted: str, value: Any, *below: str | int) -> None:
        message = f"{key!r} must be {wanted}, not {_shown(value)}"
        self.fault(codes.VALUE_OF_WRONG_TYPE, message, key, *below)


def _real(value: Any) -> float | None:
    """A TOML number as a float, infinite when it is beyond one; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _range(above: float, least: float, most: float) -> str:
    bounds = [f"above {above:g}"] if above > -math.inf else []
    if least > -math.inf:
        bounds.append(f"of at least {least:g}")
    if most < math.inf:
        bounds.append(f"at most {most:g}" if bounds else f"of at most {most:g}")
    return f"a finite number {' and '.join(bounds)}".rstrip()


def _shown(value: Any) -> str:
    """A value as TOML would have it, shortened."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a table"
    text = repr(value) if isinstance(value, str | int | float | list) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
