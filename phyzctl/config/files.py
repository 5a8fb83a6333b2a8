"""Configuration files: which one holds for a path, and the chain of those that it extends.

`phyzctl.toml` holds the keys at its top level, `pyproject.toml` under `[tool.phyzctl]`. Every
mistake in such a file is a `PhyzctlError` that names the file, the line and the valid choices.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from phyzctl import disk
from phyzctl.config.reader import Reader
from phyzctl.config.settings import Config
from phyzctl.errors import NotFoundError, PhyzctlError, UnreadableError
from phyzctl.tomlplaces import load_toml

FILE_NAME = "phyzctl.toml"
_SHARED = "pyproject.toml"


def load_config(start: str | Path = ".") -> Config:
    """The Config that holds for a file or folder: of the nearest file upwards, else the default.

    The search ends at the folder that holds `.git`. `PhyzctlError` when the file found is wrong.
    """
    found = find_config(start)
    return read_config(found) if found is not None else Config()


def find_config(start: str | Path = ".") -> Path | None:
    """The nearest `phyzctl.toml`, or `pyproject.toml` with a `[tool.phyzctl]`, from `start` up."""
    here = Path(os.path.abspath(start))
    for folder in [here, *here.parents]:
        own, shared = folder / FILE_NAME, folder / _SHARED
        if own.is_file():
            return own
        if shared.is_file() and _speaks_of_us(shared):
            return shared
        if (folder / ".git").exists():
            return None
    return None


def _speaks_of_us(shared: Path) -> bool:
    """True when it has a `[tool.phyzctl]`; most have not a word of it, and need not be parsed."""
    return b"phyzctl" in _content(shared) and _tool_table(_parse(shared)[0]) is not None


def read_config(path: str | Path) -> Config:
    """The Config in that file; `PhyzctlError` when it isn't there or states what makes no sense."""
    path = Path(path)
    if not path.exists():
        raise NotFoundError(f"there is no configuration file {str(path)!r}")
    return _read(path, ())


def _read(path: Path, extended_by: tuple[Path, ...]) -> Config:
    """The Config in a file, on top of what it extends."""
    document, text = _parse(path)
    shared = path.name == _SHARED
    table = _tool_table(document) if shared else document
    if table is None:
        raise PhyzctlError(f"{path}: there is no [tool.phyzctl]")
    reader = Reader(path, text, ("tool", "phyzctl") if shared else ())
    settings = reader.settings(table)
    base = None
    if "extend" in table:
        base = _read(_extended(reader, table["extend"], extended_by), (*extended_by, path))
    config = (base or Config()).with_layer(settings)
    return replace(config, file=str(path), base=base)


def _extended(reader: Reader, value: Any, extended_by: tuple[Path, ...]) -> Path:
    """The file that `extend` names; it must be there and not be on its own way here."""
    key = ("extend",)
    if not isinstance(value, str):
        raise reader.fault(key, f"'extend' must name a file, not {value!r}")
    path = Path(os.path.normpath(reader.path.parent / Path(value).expanduser()))
    if not path.is_file():
        raise reader.fault(key, f"'extend' names {str(path)!r}, which is no file")
    chain = [*extended_by, reader.path]
    for index, earlier in enumerate(chain):
        if earlier.samefile(path):
            ring = " -> ".join(str(each) for each in [*chain[index:], path])
            raise reader.fault(key, f"'extend' leads in a circle: {ring}")
    return path


def _content(path: Path) -> bytes:
    try:
        return disk.document(path)
    except OSError as error:
        raise UnreadableError(f"{path}: {error.strerror or error}") from error


def _parse(path: Path) -> tuple[dict[str, Any], str]:
    try:
        text = _content(path).decode("utf-8-sig")
        return load_toml(text), text
    except ValueError as error:
        raise PhyzctlError(f"{path}: this is not TOML: {error}") from error


def _tool_table(document: Mapping[str, Any]) -> Mapping[str, Any] | None:
    tool = document.get("tool")
    table = tool.get("phyzctl") if isinstance(tool, dict) else None
    return table if isinstance(table, dict) else None
