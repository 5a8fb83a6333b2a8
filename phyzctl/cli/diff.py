"""`phyzctl diff`: what two robots say differently."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from phyzctl.cli import options, streams
from phyzctl.cli.checking import load_robot
from phyzctl.cli.choices import Choices
from phyzctl.cli.exits import Exit
from phyzctl.cli.options import PlainFormat
from phyzctl.errors import PhyzctlError
from phyzctl.report.report import slashed
from phyzctl.report.text import plural, printable
from phyzctl.robot.codec import encode
from phyzctl.robot.difference import Difference, differences

SCHEMA = "phyzctl.diff/1"
_LONGEST = 60  # characters of a value in a line

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def diff(
    first: Annotated[str, typer.Argument(metavar="A", help="A robot description.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another one, in any format.")],
    *,
    form: options.Plain = PlainFormat.TEXT,
    tolerance: Annotated[
        float, typer.Option(help="How far numbers may be apart, relative or absolute.")
    ] = 1e-9,
    package_path: options.PackagePath = None,
    xacro_arg: options.XacroArg = None,
) -> None:
    """Compare two robots, element by element; neither order nor spelling counts.

    Exits 1 when they differ.
    """
    if not (math.isfinite(tolerance) and tolerance >= 0.0):
        raise PhyzctlError(f"--tolerance takes a number from 0 on, not {tolerance:g}")
    paths, robots = [], []
    for argument in (first, second):
        path, robot, issues = load_robot(
            argument, Choices(package_path=package_path, xacro_arg=xacro_arg)
        )
        paths.append(slashed(path))
        robots.append(robot)
        if issues.errors:
            count = plural(len(issues.errors), "error")
            streams.note(f"phyzctl: reading {path} found {count}; see phyzctl validate")
    found = list(differences(robots[0], robots[1], tolerance=tolerance))
    if form is PlainFormat.JSON:
        document = {
            "schema": SCHEMA,
            "first": paths[0],
            "second": paths[1],
            "differences": [_document(difference) for difference in found],
        }
        streams.write(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    else:
        streams.write("".join(f"{printable(line)}\n" for line in _text(found)))
    raise typer.Exit(Exit.FINDINGS if found else Exit.CLEAN)


def _document(difference: Difference) -> dict[str, Any]:
    return {
        "kind": difference.kind,
        "name": difference.name,
        "path": difference.path,
        "before": encode(difference.before),
        "after": encode(difference.after),
    }


def _text(found: list[Difference]) -> Iterator[str]:
    for difference in found:
        name = f" {difference.name!r}" if difference.name else ""
        if difference.path:
            change = f"{_value(difference.before)} -> {_value(difference.after)}"
            yield f"{difference.kind}{name}: {difference.path}: {change}"
        else:
            side = "first" if difference.after is None else "second"
            yield f"{difference.kind}{name}: only in the {side}"


def _value(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:.10g}"
    text = json.dumps(encode(value), ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
