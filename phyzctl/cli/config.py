"""`phyzctl config show`: which configuration holds, and where it comes from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from phyzctl.cli import options, streams
from phyzctl.cli.options import PlainFormat
from phyzctl.config import Config, load_config, read_config

app = typer.Typer(rich_markup_mode=None, add_completion=False, no_args_is_help=True)


@app.callback()
def config() -> None:
    """Show the configuration that holds for a file or folder."""


@app.command()
def show(
    path: Annotated[str, typer.Argument(metavar="[PATH]", help="A file or folder.")] = ".",
    *,
    config_file: options.ConfigFile = None,
    form: options.Plain = PlainFormat.TEXT,
) -> None:
    """Print every key with the value that holds, as TOML or JSON.

    For a file, overrides are put in place; for a folder they are listed.
    """
    found = read_config(config_file) if config_file is not None else load_config(path)
    held = found if Path(path).is_dir() else found.at(path)
    if form is PlainFormat.JSON:
        streams.write(json.dumps(held.document(), indent=2, ensure_ascii=False) + "\n")
        return
    streams.write("".join(f"{line}\n" for line in (*_origin(found), *_toml(held.document()))))


def _origin(config: Config) -> Iterator[str]:
    if config.file is None:
        yield "# defaults: no phyzctl.toml, no [tool.phyzctl]"
        return
    yield f"# from {config.file}"
    base = config.base
    while base is not None:
        yield f"# which extends {base.file}"
        base = base.base


def _toml(document: Mapping[str, Any], table: str = "") -> Iterator[str]:
    """The lines of a TOML file, or of a table of one; JSON's strings and lists are TOML's."""
    tables = {key: value for key, value in document.items() if isinstance(value, Mapping)}
    arrays = {key: value for key, value in document.items() if _is_array_of_tables(value)}
    for key, value in document.items():
        if key not in tables and key not in arrays:
            yield f"{key} = {_json(value)}"
    for key, value in tables.items():
        yield from ("", f"[{table}{key}]")
        for name, item in value.items():
            yield f"{_json(name)} = {_json(item)}"
    for key, value in arrays.items():
        for item in value:
            yield from ("", f"[[{table}{key}]]", *_toml(item, f"{table}{key}."))


def _is_array_of_tables(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(item, Mapping) for item in value)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
