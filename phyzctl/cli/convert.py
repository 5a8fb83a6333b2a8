"""`phyzctl convert`: a robot in another format, and what is lost on the way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from phyzctl.api import format_of
from phyzctl.cli import attaching, options, streams
from phyzctl.cli.attaching import Parts
from phyzctl.cli.checking import read_target
from phyzctl.cli.choices import Choices
from phyzctl.cli.exits import Exit
from phyzctl.cli.options import Base
from phyzctl.cli.targets import find_targets
from phyzctl.codes import LOSSES
from phyzctl.errors import PhyzctlError
from phyzctl.formats import Reading, WriteOptions, write
from phyzctl.formats.losses import dissolved
from phyzctl.formats.srdf import srdf_of
from phyzctl.issues import Issue, Issues, LoadError
from phyzctl.report.text import plural, printable
from phyzctl.robot.robot import Robot

app = typer.Typer(rich_markup_mode=None, add_completion=False)


class Written(StrEnum):
    """Formats that can be written."""

    URDF = "urdf"
    MJCF = "mjcf"
    JSON = "json"


class Actuators(StrEnum):
    """What drives the joints of a robot that states no actuators."""

    NONE = "none"
    MOTOR = "motor"
    POSITION = "position"


@app.command()
def convert(
    file: options.File,
    *,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where to write, - for stdout.")
    ],
    form: Annotated[
        Written | None, typer.Option("--format", "-f", help="By the output's suffix, else this.")
    ] = None,
    base: Annotated[
        Base, typer.Option(help="How the root link of a URDF stands in the MJCF's world.")
    ] = Base.AUTO,
    actuators: Annotated[
        Actuators, typer.Option(help="For MJCF: what drives joints if no actuators are stated.")
    ] = Actuators.NONE,
    fuse: Annotated[
        bool, typer.Option("--fuse", help="Merge links on fixed joints into their parents.")
    ] = False,
    attach: attaching.Attached = None,
    to: attaching.To = None,
    prefix: attaching.Prefix = None,
    pose: attaching.Pose = None,
    srdf: attaching.Srdfs = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option(metavar="CODE,…", help="Losses that don't count and aren't told, as L015."),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 when anything is lost.")] = False,
    package_path: options.PackagePath = None,
    xacro_arg: options.XacroArg = None,
    stdin_filename: options.StdinName = None,
    quiet: options.Quiet = False,
) -> None:
    """Write a robot as URDF, MJCF or JSON; what is lost is told on stderr, with its place.

    --attach hangs other robots on it first. With --srdf its pairs become excludes, and beside a
    URDF an SRDF is written.

    Exits 0 when written, 1 with --strict when anything was lost (it is written all the same), 3
    when reading found errors, and nothing was written.
    """
    chosen, ignored = _format(form, output), _ignored(ignore or ())
    stated = Parts(attach or (), to or (), prefix or (), pose or (), srdf or ())
    choices = Choices(package_path=package_path, xacro_arg=xacro_arg)
    to_file = output != streams.STDOUT
    beside = to_file and chosen == "urdf" and bool(srdf)
    reading, robot = _read(file, choices, stdin_filename)
    robot, lost = stated.onto(robot, lambda name: _read(name, choices, None), whole=beside)
    folder = str(Path(output).absolute().parent if to_file else Path())
    wishes = WriteOptions(folder, base.value, actuators.value, fuse, to_file, beside)
    written = write(robot, chosen, wishes)
    if beside:
        text = {f"{Path(output).stem}.srdf": srdf_of(robot, stated.semantics[0])}
        written = replace(written, files={**written.files, **text})
    written.store(output) if to_file else streams.write(written.text)
    lost = [*dissolved(reading.documents), *lost, *written.losses]
    lost = [loss for loss in lost if not ignored & {loss.code.id, loss.code.name}]
    if not quiet:
        _tell(sorted(lost, key=Issue.sort_key), output)
    raise typer.Exit(Exit.FINDINGS if strict and lost else Exit.CLEAN)


def _format(form: Written | None, output: str) -> str:
    if form is None and output == streams.STDOUT:
        raise PhyzctlError("--output - needs a --format: urdf, mjcf or json")
    return form.value if form else format_of(output)


def _read(file: str, choices: Choices, stdin_name: str | None) -> tuple[Reading, Robot]:
    """What is read, if it was read without an error."""
    targets = find_targets([file], stdin_name)
    if len(targets) > 1:
        names = ", ".join(target.path for target in targets)
        raise PhyzctlError(f"{file!r} means several robots, choose one of: {names}")
    issues = Issues()
    reading = read_target(targets[0], issues, choices.config(targets[0].path))
    if reading.robot is None or issues.errors:
        raise LoadError(issues)
    return reading, reading.robot


def _ignored(stated: Iterable[str]) -> set[str]:
    """The codes and names of losses that don't count."""
    named = {name.strip() for value in stated for name in value.split(",") if name.strip()}
    for name in sorted(named - {word for code in LOSSES for word in (code.id, code.name)}):
        known = ", ".join(code.id for code in LOSSES)
        raise PhyzctlError(f"--ignore: no loss is called {name!r}; there are {known}")
    return named


def _tell(lost: list[Issue], output: str) -> None:
    for loss in lost:
        streams.note(printable(str(loss)))
    what = f"lost in {plural(len(lost), 'way')}" if lost else "nothing is lost"
    streams.note(f"phyzctl: wrote {output}: {what}")
