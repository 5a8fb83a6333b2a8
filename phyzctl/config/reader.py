"""From a table of a TOML file to settings; what makes no sense is told with its line."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from phyzctl.config.settings import FAIL_ON, TARGETS, Override, Variant, spelt, unknown_target
from phyzctl.errors import PhyzctlError, did_you_mean
from phyzctl.issues import Severity
from phyzctl.tomlplaces import Key, key_places, nearest_place

_SEVERITIES = {severity.label: severity for severity in Severity}
MOST_COMBINATIONS = 200
_WILD = re.compile(r"([\\*?\[])")


class Reader:
    """Reads the tables of one file, and knows where to point when it can't.

    `prefix` is the table of the file that holds the keys. Relative paths are relative to the
    file's folder.
    """

    def __init__(self, path: Path, text: str, prefix: tuple[str, ...]) -> None:
        self.path = path
        self.text = text
        self.prefix = prefix

    def settings(self, table: Mapping[str, Any]) -> dict[str, Any]:
        """What the file states, by the names of Config's fields; `extend` is the caller's."""
        stated = {key: value for key, value in table.items() if key != "extend"}
        return self._read((), stated, _READERS, (*map(spelt, _READERS), "extend"))

    def fault(self, key: Key, message: str) -> PhyzctlError:
        """The error to raise for what the file states at `key`."""
        line = key_line(self.text, (*self.prefix, *key))
        place = f"{self.path}:{line}" if line is not None else str(self.path)
        return PhyzctlError(f"{place}: {message}")

    def _read(
        self, at: Key, table: Mapping[str, Any], readers: _Readers, keys: Iterable[str]
    ) -> dict[str, Any]:
        """The values of a table by the names of fields; `keys` are those it may have."""
        names = {spelt(name): name for name in readers}
        values: dict[str, Any] = {}
        for key, value in table.items():
            if key not in names:
                hint = did_you_mean(key, keys) or f"; the keys are {', '.join(keys)}"
                raise self.fault((*at, key), f"unknown key {key!r}{hint}")
            values[names[key]] = readers[names[key]](self, (*at, key), value)
        return values

    def _strings(self, key: Key, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.fault(key, f"{key[-1]!r} must be a list of strings, not {value!r}")
        return tuple(value)

    def _targets(self, key: Key, value: Any) -> tuple[str, ...]:
        names = self._strings(key, value)
        for name in names:
            if name not in TARGETS:
                raise self.fault(key, unknown_target(name))
        return names

    def _flag(self, key: Key, value: Any) -> bool:
        if not isinstance(value, bool):
            raise self.fault(key, f"{key[-1]!r} must be true or false, not {value!r}")
        return value

    def _fail_on(self, key: Key, value: Any) -> str:
        if value not in FAIL_ON:
            choices = ", ".join(FAIL_ON)
            raise self.fault(key, f"{key[-1]!r} must be one of {choices}, not {value!r}")
        return str(value)

    def _severities(self, key: Key, value: Any) -> dict[str, Severity]:
        found = {}
        for rule, word in self._items(key, value):
            if not isinstance(word, str) or word not in _SEVERITIES:
                message = f"the severity of {rule!r} must be error, warning or info, not {word!r}"
                raise self.fault((*key, rule), message)
            found[rule] = _SEVERITIES[word]
        return found

    def _numbers(self, key: Key, value: Any) -> dict[str, float]:
        found = {}
        for name, number in self._items(key, value):
            real = isinstance(number, int | float) and not isinstance(number, bool)
            if not real or not 0 <= number < float("inf"):
                message = f"the tolerance {name!r} must be a number of at least 0, not {number!r}"
                raise self.fault((*key, name), message)
            found[name] = float(number)
        return found

    def _texts(self, key: Key, value: Any) -> dict[str, str]:
        """Arguments of xacros: words, or numbers and booleans as xacro writes them."""
        found = {}
        for name, item in self._items(key, value):
            if not isinstance(item, str | int | float):
                message = f"the argument {name!r} must be a string or a number, not {item!r}"
                raise self.fault((*key, name), message)
            found[name] = str(item)
        return found

    def _folders(self, key: Key, value: Any) -> dict[str, str]:
        """Folders as written, relative ones to the configuration file's own."""
        found = {}
        for name, folder in self._items(key, value):
            if not isinstance(folder, str):
                message = f"the package {name!r} must name a folder, not {folder!r}"
                raise self.fault((*key, name), message)
            found[name] = str(self.path.parent / Path(folder).expanduser())
        return found

    def _overrides(self, key: Key, value: Any) -> tuple[Override, ...]:
        return tuple(self._override(*item) for item in self._tables(key, value))

    def _override(self, key: Key, table: Mapping[str, Any]) -> Override:
        files = self._globs(key, table)
        rest = {name: value for name, value in table.items() if name != "files"}
        keys = ("files", *map(spelt, _OVERRIDABLE))
        return Override(files, self._read(key, rest, _OVERRIDABLE, keys))

    def _globs(self, key: Key, table: Mapping[str, Any]) -> tuple[str, ...]:
        """What `files` of an override or a variant states, as absolute globs."""
        globs = self._strings((*key, "files"), table.get("files", []))
        if not all(globs) or not globs:
            raise self.fault(key, f"[[{key[0]}]] needs 'files', a list of globs")
        folder = os.path.abspath(self.path.parent)
        return tuple(absolute_glob(glob, folder) for glob in globs)

    def _variants(self, key: Key, value: Any) -> tuple[Variant, ...]:
        return tuple(self._variant(*item) for item in self._tables(key, value))

    def _variant(self, key: Key, table: Mapping[str, Any]) -> Variant:
        files = self._globs(key, table)
        rest = {name: value for name, value in table.items() if name != "files"}
        stated = self._read(key, rest, {"args": Reader._choices}, ("files", "args"))
        args = stated.get("args", {})
        count = math.prod(map(len, args.values()))
        if not args or not 0 < count <= MOST_COMBINATIONS:
            message = (
                f"[[variant]] needs 'args' with 1 to {MOST_COMBINATIONS} combinations, "
                f"not {count if args else 0}"
            )
            raise self.fault((*key, "args"), message)
        return Variant(files, args)

    def _choices(self, key: Key, value: Any) -> dict[str, tuple[str, ...]]:
        """Values of arguments by name: lists, or one alone."""
        found = {}
        for name, stated in self._items(key, value):
            each = stated if isinstance(stated, list) else [stated]
            numbered = {str(index): item for index, item in enumerate(each)}
            found[name] = tuple(self._texts((*key, name), numbered).values())
        return found

    def _tables(self, key: Key, value: Any) -> Iterator[tuple[Key, Mapping[str, Any]]]:
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self.fault(key, f"{key[-1]!r} must be tables, each below its [[{key[-1]}]]")
        for index, item in enumerate(value):
            yield (*key, index), item

    def _items(self, key: Key, value: Any) -> Iterator[tuple[str, Any]]:
        if not isinstance(value, dict):
            raise self.fault(key, f"{key[-1]!r} must be a table, not {value!r}")
        return iter(value.items())


_Readers = Mapping[str, Callable[[Reader, Key, Any], Any]]

_OVERRIDABLE: _Readers = {
    "select": Reader._strings,
    "extend_select": Reader._strings,
    "ignore": Reader._strings,
    "target": Reader._targets,
    "fail_on": Reader._fail_on,
    "severity": Reader._severities,
    "tolerances": Reader._numbers,
    "deep": Reader._flag,
    "pedantic": Reader._flag,
    "meshes": Reader._flag,
    "strict_assets": Reader._flag,
    "xacro_args": Reader._texts,
}
_READERS: _Readers = {
    **_OVERRIDABLE,
    "package_path": Reader._folders,
    "override": Reader._overrides,
    "variant": Reader._variants,
}


def key_line(text: str, key: Key) -> int | None:
    """The line, from 1, on which a TOML text states a key, or else that of the table around it."""
    place = nearest_place(key_places(text), key)
    return place.line if place is not None else None


def absolute_glob(glob: str, folder: str) -> str:
    """A glob of a `.gitignore` that lies in `folder`, as one that holds anywhere.

    Unlike there, a leading slash means the root of the file system.
    """
    negation = "!" if glob.startswith("!") else ""
    stated = glob.removeprefix("!")
    if stated.startswith("/"):
        return glob
    while stated.startswith(("./", "../")):
        first, _, stated = stated.partition("/")
        folder = os.path.dirname(folder) if first == ".." else folder
    anchored = stated != glob.removeprefix("!") or "/" in stated.rstrip("/")
    here = _WILD.sub(r"\\\1", Path(folder).as_posix()).rstrip("/")
    return f"{negation}{here}/{'' if anchored else '**/'}{stated}"
