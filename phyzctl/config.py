"""What a project chooses: rules, severities, tolerances, packages; from the nearest TOML file.

`phyzctl.toml` holds the keys at its top level, `pyproject.toml` under `[tool.phyzctl]`. Every
mistake in such a file is a `PhyzctlError` that names the file, the line and the valid choices.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from phyzctl.errors import NotFoundError, PhyzctlError, UnreadableError, did_you_mean
from phyzctl.issues import Severity
from phyzctl.tomlplaces import key_places, nearest_place

FILE_NAME = "phyzctl.toml"
FAIL_ON = ("error", "warning", "info", "never")
# The programs whose peculiarities can be judged; the command line lists them in this order.
TARGETS = (
    "ros2",
    "mujoco",
    "gazebo",
    "moveit",
    "isaac",
    "usd",
    "drake",
    "pinocchio",
    "pybullet",
    "kdl",
)

_SEVERITIES = {severity.label: severity for severity in Severity}


@dataclass(frozen=True)
class Config:
    """What to check and how to judge it.

    `select`, `extend_select`, `ignore` and the keys of `severity` name rules by code, prefix or
    name; an empty `select` means every rule that is on by default. `target` names consumers, of
    `TARGETS`. `package_path` maps package names to folders. `file` is where it was read from,
    None when it is nobody's but the default.
    """

    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    target: tuple[str, ...] = ()
    fail_on: str = "error"
    severity: Mapping[str, Severity] = field(default_factory=dict)
    tolerances: Mapping[str, float] = field(default_factory=dict)
    package_path: Mapping[str, str] = field(default_factory=dict)
    deep: bool = False
    pedantic: bool = False
    meshes: bool = True
    strict_assets: bool = False
    file: str | None = field(default=None, compare=False)

    def document(self) -> dict[str, Any]:
        """The keys and values as a configuration file states them, all of them."""
        return {_spelt(name): _plain(getattr(self, name)) for name in _READERS}


def load_config(start: str | Path = ".") -> Config:
    """The Config that holds for a file or folder: of the nearest file upwards, else the default.

    The search ends at the folder that holds `.git`. `PhyzctlError` when the file found is wrong.
    """
    found = find_config(start)
    return read_config(found) if found is not None else Config()


def find_config(start: str | Path = ".") -> Path | None:
    """The nearest `phyzctl.toml`, or `pyproject.toml` with a `[tool.phyzctl]`, from `start` up."""
    here = Path(start).absolute()
    for folder in [here, *here.parents]:
        own, shared = folder / FILE_NAME, folder / "pyproject.toml"
        if own.is_file():
            return own
        if shared.is_file() and _tool_table(_parse(shared)[0]) is not None:
            return shared
        if (folder / ".git").exists():
            return None
    return None


def read_config(path: str | Path) -> Config:
    """The Config in that file; `PhyzctlError` when it isn't there or states what makes no sense."""
    path = Path(path)
    if not path.exists():
        raise NotFoundError(f"there is no configuration file {str(path)!r}")
    document, text = _parse(path)
    shared = path.name == "pyproject.toml"
    table = _tool_table(document) if shared else document
    if table is None:
        raise PhyzctlError(f"{path}: there is no [tool.phyzctl]")
    return _Reader(path, text, ("tool", "phyzctl") if shared else ()).config(table)


def _parse(path: Path) -> tuple[dict[str, Any], str]:
    try:
        text = path.read_text(encoding="utf-8-sig")
        return tomllib.loads(text), text
    except OSError as error:
        raise UnreadableError(f"{path}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PhyzctlError(f"{path}: this is not TOML: {error}") from error


def _tool_table(document: Mapping[str, Any]) -> Mapping[str, Any] | None:
    tool = document.get("tool")
    table = tool.get("phyzctl") if isinstance(tool, dict) else None
    return table if isinstance(table, dict) else None


class _Reader:
    """Turns one table into a Config, and knows where to point when it can't."""

    def __init__(self, path: Path, text: str, prefix: tuple[str, ...]) -> None:
        self.path = path
        self.text = text
        self.prefix = prefix

    def config(self, table: Mapping[str, Any]) -> Config:
        values: dict[str, Any] = {"file": str(self.path)}
        for key, value in table.items():
            name = _NAMES.get(key)
            if name is None:
                raise self.fault((key,), f"unknown key {key!r}{_choices(key, _NAMES)}")
            values[name] = _READERS[name](self, key, value)
        return Config(**values)

    def fault(self, key: tuple[str, ...], message: str) -> PhyzctlError:
        line = key_line(self.text, (*self.prefix, *key))
        place = f"{self.path}:{line}" if line is not None else str(self.path)
        return PhyzctlError(f"{place}: {message}")

    def strings(self, key: str, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.fault((key,), f"{key!r} must be a list of strings, not {value!r}")
        return tuple(value)

    def targets(self, key: str, value: Any) -> tuple[str, ...]:
        names = self.strings(key, value)
        for name in names:
            if name not in TARGETS:
                raise self.fault((key,), unknown_target(name))
        return names

    def flag(self, key: str, value: Any) -> bool:
        if not isinstance(value, bool):
            raise self.fault((key,), f"{key!r} must be true or false, not {value!r}")
        return value

    def fail_on(self, key: str, value: Any) -> str:
        if value not in FAIL_ON:
            choices = ", ".join(FAIL_ON)
            raise self.fault((key,), f"{key!r} must be one of {choices}, not {value!r}")
        return str(value)

    def severities(self, key: str, value: Any) -> dict[str, Severity]:
        found = {}
        for rule, word in self._items(key, value):
            if not isinstance(word, str) or word not in _SEVERITIES:
                message = f"the severity of {rule!r} must be error, warning or info, not {word!r}"
                raise self.fault((key, rule), message)
            found[rule] = _SEVERITIES[word]
        return found

    def numbers(self, key: str, value: Any) -> dict[str, float]:
        found = {}
        for name, number in self._items(key, value):
            real = isinstance(number, int | float) and not isinstance(number, bool)
            if not real or not 0 <= number < float("inf"):
                message = f"the tolerance {name!r} must be a number of at least 0, not {number!r}"
                raise self.fault((key, name), message)
            found[name] = float(number)
        return found

    def folders(self, key: str, value: Any) -> dict[str, str]:
        """Folders as written, relative ones to the configuration file's own."""
        found = {}
        for name, folder in self._items(key, value):
            if not isinstance(folder, str):
                message = f"the package {name!r} must name a folder, not {folder!r}"
                raise self.fault((key, name), message)
            found[name] = str(self.path.parent / Path(folder).expanduser())
        return found

    def _items(self, key: str, value: Any) -> Iterator[tuple[str, Any]]:
        if not isinstance(value, dict):
            raise self.fault((key,), f"{key!r} must be a table, not {value!r}")
        return iter(value.items())


_READERS: Mapping[str, Callable[[_Reader, str, Any], Any]] = {
    "select": _Reader.strings,
    "extend_select": _Reader.strings,
    "ignore": _Reader.strings,
    "target": _Reader.targets,
    "fail_on": _Reader.fail_on,
    "severity": _Reader.severities,
    "tolerances": _Reader.numbers,
    "package_path": _Reader.folders,
    "deep": _Reader.flag,
    "pedantic": _Reader.flag,
    "meshes": _Reader.flag,
    "strict_assets": _Reader.flag,
}


def unknown_target(name: str) -> str:
    """What to say of a target that is none."""
    hint = did_you_mean(name, TARGETS) or f"; the targets are {', '.join(TARGETS)}"
    return f"no target is called {name!r}{hint}"


def key_line(text: str, key: tuple[str | int, ...]) -> int | None:
    """The line, from 1, on which a TOML text states a key, or else that of the table around it."""
    place = nearest_place(key_places(text), key)
    return place.line if place is not None else None


def _choices(key: str, known: Mapping[str, str]) -> str:
    return did_you_mean(key, known) or f"; the keys are {', '.join(known)}"


def _spelt(name: str) -> str:
    return name.replace("_", "-")


def _plain(value: Any) -> Any:
    if isinstance(value, Severity):
        return value.label
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return list(value) if isinstance(value, tuple) else value


_NAMES: Mapping[str, str] = {_spelt(item.name): item.name for item in fields(Config)[:-1]}
