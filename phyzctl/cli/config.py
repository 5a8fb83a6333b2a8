"""`phyzctl config show`: which configuration holds, and where it comes from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer

from phyzctl.cli import options, streams
from phyzctl.cli.options import PlainFormat
from phyzctl.config import load_config, read_config

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
    """Print every key with the value that holds, as TOML or JSON."""
    found = read_config(config_file) if config_file is not None else load_config(path)
    if form is PlainFormat.JSON:
        streams.write(json.dumps(found.document(), indent=2, ensure_ascii=False) + "\n")
        return
    origin = f"from {found.file}" if found.file else "defaults: no phyzctl.toml, no [tool.phyzctl]"
    streams.write(f"# {origin}\n" + "".join(f"{line}\n" for line in _toml(found.document())))


def _toml(document: Mapping[str, Any]) -> Iterator[str]:
    """The lines of a TOML file; JSON's strings, lists and booleans are TOML's."""
    tables = {key: value for key, value in document.items() if isinstance(value, Mapping)}
    for key in document:
        if key not in tables:
            yield f"{key} = {json.dumps(document[key], ensure_ascii=False)}"
    for key, table in tables.items():
        yield from ("", f"[{key}]")
        for name, value in table.items():
            stated = json.dumps(value, ensure_ascii=False)
            yield f"{json.dumps(name, ensure_ascii=False)} = {stated}"
