"""`phyzctl cache`: where results are kept between runs, and how to be rid of them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import typer

from phyzctl.cachedir import cache_dir
from phyzctl.cli import options, streams
from phyzctl.report.text import plural

app = typer.Typer(rich_markup_mode=None, add_completion=False, no_args_is_help=True)

OWN = ("checks", "hulls")  # what lies in the cache's folder and is ours to remove


@app.callback()
def cache() -> None:
    """Say where results are kept between runs, or remove them."""


@app.command("dir")
def show(*, _cache_dir: options.CacheFolder = None) -> None:
    """Print the folder."""
    streams.write(f"{cache_dir()}\n")


@app.command()
def clear(*, quiet: options.Quiet = False, _cache_dir: options.CacheFolder = None) -> None:
    """Remove all that is kept there; it is made again when it is needed."""
    count = sum(1 for _ in kept())
    for name in OWN:
        shutil.rmtree(cache_dir() / name, ignore_errors=True)
    left = sum(1 for _ in kept())
    if not quiet:
        more = f", {plural(left, 'file')} could not be" if left else ""
        streams.note(f"{plural(count - left, 'file')} removed from {cache_dir()}{more}")


def kept() -> Iterator[Path]:
    """The files in the cache."""
    for name in OWN:
        yield from (path for path in (cache_dir() / name).rglob("*") if path.is_file())
