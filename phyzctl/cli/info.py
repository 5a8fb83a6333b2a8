"""`phyzctl info`: what is in a robot, for people or for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer

from phyzctl.cli import options, streams
from phyzctl.cli.checking import load_robot
from phyzctl.cli.choices import Choices
from phyzctl.cli.options import Base, PlainFormat
from phyzctl.cli.summary import summarise
from phyzctl.cli.tables import columns
from phyzctl.model.compiler import compile as compile_model
from phyzctl.report.report import slashed
from phyzctl.report.text import plural, printable

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def info(
    file: options.File,
    *,
    form: options.Plain = PlainFormat.TEXT,
    base: Annotated[Base, typer.Option(help="How the root link stands in the world.")] = Base.AUTO,
    package_path: options.PackagePath = None,
    xacro_arg: options.XacroArg = None,
    stdin_filename: options.StdinName = None,
) -> None:
    """Summarise a robot: counts, mass, degrees of freedom, features, what is unsupported."""
    path, robot, issues = load_robot(
        file, Choices(package_path=package_path, xacro_arg=xacro_arg), stdin_filename
    )
    model = compile_model(robot, base=base.value, issues=issues)
    document = summarise(slashed(path), model, issues)
    if form is PlainFormat.JSON:
        streams.write(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    else:
        streams.write("".join(f"{printable(line)}\n" for line in _text(document)))
    if document["errors"]:
        streams.note(
            f"phyzctl: reading found {plural(document['errors'], 'error')}; see phyzctl validate"
        )


def _text(document: Mapping[str, Any]) -> Iterator[str]:
    counts = document["counts"]
    dialect = " ".join(filter(None, (document["format"], document["version"])))
    stated = [f"{count} {name}" for name, count in counts.items() if count]
    mass = document["mass"]
    yield f"{document['name']} ({dialect or 'no format'}), {document['path']}"
    yield f"  has      {', '.join(stated)}"
    yield f"  mass     {'not a number' if mass is None else f'{mass:.6g} kg'}"
    reach = document["reach"]
    yield f"  reach    {'unbounded' if reach is None else f'{reach:.6g} m'}"
    yield f"  base     {document['base']}, at {document['root']}"
    yield f"  freedom  nq {document['nq']}, nv {document['nv']}, nu {document['nu']}"
    yield f"  contact  by the rules of {document['contact_rules']}"
    if document["dofs"]:
        yield ""
        yield from _dof_table(document["dofs"])
    if document["features"]:
        uses = [f"{name} ({count})" for name, count in document["features"].items()]
        yield from ("", f"Uses {', '.join(uses)}.")
    if document["unsupported"]:
        yield from ("", "Not supported:", *(f"  {each}" for each in document["unsupported"]))


def _dof_table(dofs: list[dict[str, Any]]) -> Iterator[str]:
    rows = [["v", "joint", "type", "moves", "lower", "upper", "unit", "effort", "velocity", ""]]
    for dof in dofs:
        start, stop = dof["v"]
        span = f"{start}" if stop == start + 1 else f"{start}-{stop - 1}"
        limits = [_number(dof[key]) for key in ("lower", "upper")]
        rates = [_number(dof[key]) for key in ("effort", "velocity")]
        mimic = dof["mimic"]
        follows = f"{mimic['multiplier']:g} of {mimic['joint']}" if mimic else ""
        names = [dof["joint"], dof["type"], dof["body"]]
        rows.append([span, *names, *limits, dof["unit"] or "", *rates, follows])
    for line in columns(rows, right=frozenset({0, 4, 5, 7, 8})).splitlines():
        yield f"  {line}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.6g}"
