"""`phyzctl schema`: the JSON Schemas that ship with phyzctl."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated

import typer

import phyzctl
from phyzctl.cli import streams
from phyzctl.errors import NotFoundError, did_you_mean

_SUFFIX = ".schema.json"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def schema(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Which one; without, all are listed.")
    ] = None,
) -> None:
    """Print the JSON Schema of a document that phyzctl reads or writes."""
    known = {
        item.name.removesuffix(_SUFFIX): item
        for item in sorted(_folder().iterdir(), key=lambda item: item.name)
        if item.name.endswith(_SUFFIX)
    }
    if name is None:
        streams.write("".join(f"{each}\n" for each in known))
    elif name in known:
        streams.write(known[name].read_text(encoding="utf-8"))
    else:
        hint = did_you_mean(name, known) or f"; there are {', '.join(known)}"
        raise NotFoundError(f"there is no schema {name!r}{hint}")


def _folder() -> Traversable:
    """The schemas in the installed package; in a source tree they lie beside it."""
    shipped = files("phyzctl") / "schemas"
    return shipped if shipped.is_dir() else Path(phyzctl.__file__).parents[1] / "schemas"
