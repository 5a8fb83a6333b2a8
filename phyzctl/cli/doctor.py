"""`phyzctl doctor`: what is installed, what is missing, and where a robot's files are found."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import typer

import phyzctl
from phyzctl.cachedir import cache_dir
from phyzctl.cli import options, streams
from phyzctl.cli.cache import kept
from phyzctl.cli.exits import Exit
from phyzctl.cli.options import PlainFormat
from phyzctl.cli.tables import columns
from phyzctl.config import find_config
from phyzctl.report.text import plural, printable

app = typer.Typer(rich_markup_mode=None, add_completion=False)

NEEDED = ("lxml", "mcap", "numpy", "rich", "typer")
EXTRAS = {
    "trimesh": ("mesh", "meshes in PLY, OFF, GLB, glTF and 3MF"),
    "pycollada": ("mesh", "meshes in COLLADA (.dae)"),
    "xacro": ("xacro", "xacro files"),
}
VARIABLES = (
    "AMENT_PREFIX_PATH",
    "ROS_PACKAGE_PATH",
    "GZ_SIM_RESOURCE_PATH",
    "IGN_GAZEBO_RESOURCE_PATH",
    "GAZEBO_MODEL_PATH",
)


class Row(NamedTuple):
    """One thing that was looked at: what became of it, what it is, and more of it."""

    state: Literal["ok", "missing", "broken"]
    name: str
    detail: str


@app.command()
def doctor(
    file: Annotated[
        str | None, typer.Argument(metavar="[FILE]", help="A robot whose files to look for, too.")
    ] = None,
    *,
    form: options.Plain = PlainFormat.TEXT,
    package_path: options.PackagePath = None,
    config: options.ConfigFile = None,
) -> None:
    """Say what is installed, what is missing and what for, and where a robot's files are.

    Exits 1 when something of the robot is not found, 3 when phyzctl itself is broken.
    """
    rows = [*_program(), *_optional(), *_surroundings(file or ".")]
    lost = False
    if file is not None:
        from phyzctl.cli.whereabouts import whereabouts  # which reads the robot

        found = list(whereabouts(file, config, package_path))
        lost = any(state != "ok" for state, _, _ in found)
        rows += [Row("ok" if state == "ok" else "missing", *rest) for state, *rest in found]
    streams.write(_text(rows) if form is PlainFormat.TEXT else _json(rows))
    broken = any(row.state == "broken" for row in rows)
    raise typer.Exit(Exit.UNFINISHED if broken else Exit.FINDINGS if lost else Exit.CLEAN)


def _program() -> Iterator[Row]:
    version = ".".join(map(str, sys.version_info[:3]))
    yield Row(
        "ok" if sys.version_info >= (3, 11) else "broken", "Python", f"{version}, {sys.executable}"
    )
    yield Row("ok", "phyzctl", f"{phyzctl.__version__}, {Path(phyzctl.__file__).parent}")
    try:
        kernel = importlib.import_module("phyzctl.native")
        yield Row("ok", "kernel", str(Path(kernel.__file__ or "").parent))
    except ImportError as error:
        yield Row("broken", "kernel", f"{error}; install phyzctl again")
    for name in NEEDED:
        found = _version(name)
        yield Row("ok", name, found) if found else Row("broken", name, "install phyzctl again")


def _optional() -> Iterator[Row]:
    for name, (extra, purpose) in EXTRAS.items():
        found = _version(name)
        hint = f"for {purpose}: pip install 'phyzctl[{extra}]'"
        yield Row("ok", name, f"{found}, for {purpose}") if found else Row("missing", name, hint)
    git = shutil.which("git")
    purpose = "for --changed-since"
    yield Row("ok", "git", f"{git}, {purpose}") if git else Row("missing", "git", purpose)


def _surroundings(start: str) -> Iterator[Row]:
    settings = find_config(start)
    yield Row("ok", "settings", str(settings) if settings else "defaults: no phyzctl.toml here")
    sizes = list(_sizes(kept()))
    held = f"{plural(len(sizes), 'file')}, {sum(sizes) / 1e6:.1f} MB"
    yield Row("ok", "cache", f"{cache_dir()}, {held}")
    for name in VARIABLES:
        if os.environ.get(name):
            yield Row("ok", f"${name}", os.environ[name])


def _sizes(files: Iterable[Path]) -> Iterator[int]:
    """[byte] of those that are still there: others may be at work in the cache."""
    for path in files:
        with contextlib.suppress(OSError):
            yield path.stat().st_size


def _version(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def _text(rows: list[Row]) -> str:
    marks = {"ok": "ok", "missing": "--", "broken": "!!"}
    return columns([[marks[row.state], printable(row.name), printable(row.detail)] for row in rows])


def _json(rows: list[Row]) -> str:
    document: dict[str, Any] = {
        "schema": "phyzctl.doctor/1",
        "rows": [row._asdict() for row in rows],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
