"""`phyzctl check`: does a robot touch itself, what it carries, or what stands around it?"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from phyzctl.cli import options, reports, streams
from phyzctl.cli.exits import Exit
from phyzctl.cli.options import Base, ReportFormat
from phyzctl.cli.scenery import Outcome, Request, run
from phyzctl.cli.streams import Color
from phyzctl.errors import PhyzctlError
from phyzctl.lint.engine import rules
from phyzctl.report.text import COLOURED, PLAIN, printable
from phyzctl.report.text import render as render_text

app = typer.Typer(rich_markup_mode=None, add_completion=False)

SceneFile = Annotated[
    str | None, typer.Option("--scene", metavar="FILE", help="A scene, in TOML or MoveIt's text.")
]
Positions = Annotated[
    list[str] | None,
    typer.Option("--q", metavar="NAME=VALUE", help="Where a joint stands; repeatable."),
]
Key = Annotated[
    str | None, typer.Option(metavar="NAME", help="A keyframe, or a group state of the SRDF.")
]
Way = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Way-points as .csv or .npz, or a trace; the whole way."),
]
Margin = Annotated[
    float | None, typer.Option(min=0.0, help="Report what is nearer [m]; the scene's by default.")
]
Picture = Annotated[
    str | None, typer.Option(metavar="FILE.svg", help="A picture of the robot and what it hits.")
]
InWorld = Annotated[Base, typer.Option(help="How the root link stands in the world.")]
Srdf = Annotated[str | None, typer.Option(metavar="FILE", help="The robot's SRDF.")]


@app.command()
def check(
    robot: options.File,
    *,
    scene: SceneFile = None,
    q: Positions = None,
    key: Key = None,
    trajectory: Way = None,
    margin: Margin = None,
    picture: Picture = None,
    form: options.Report = ReportFormat.TEXT,
    output: options.Output = None,
    base: InWorld = Base.AUTO,
    srdf: Srdf = None,
    package_path: options.PackagePath = None,
    xacro_arg: options.XacroArg = None,
    stdin_filename: options.StdinName = None,
    show_source: options.ShowSource = None,
    color: options.When = Color.AUTO,
    quiet: options.Quiet = False,
) -> None:
    """Find where a robot touches itself, what it carries or what stands around it.

    Looks at one configuration (the reference pose, unless --q or --key says another), or at the
    whole way of a --trajectory, in which no contact between way-points is missed.
    Exits 0 when nothing touches, 1 when something does, 2 when asked for what makes no sense,
    3 when a file is faulty.
    """
    outputs = reports.parse_outputs(output or ())
    if picture not in (None, streams.STDOUT) and not str(picture).lower().endswith(".svg"):
        raise PhyzctlError(f"--picture wants a name that ends in .svg, not {picture!r}")
    request = Request(
        robot=robot,
        scene=scene,
        q=q or (),
        key=key,
        trajectory=trajectory,
        margin=margin,
        base=base,
        srdf=srdf,
        package_path=package_path or (),
        xacro_arg=xacro_arg or (),
        stdin_name=stdin_filename,
    )
    found = run(request)
    report = reports.make_report(found.issues, found.files, found.texts, rules())
    reports.write_outputs(report, outputs)
    if picture is not None:
        streams.write_file(picture, found.picture)
    if form is ReportFormat.TEXT:
        shown = sys.stdout.isatty() if show_source is None else show_source
        style = COLOURED if streams.coloured(color) else PLAIN
        streams.write(render_text(report, style=style, excerpts=shown, summary=False))
        _write_summary(found, quiet=quiet)
    else:
        streams.write(reports.render(report, form))
    for note in found.notes:
        streams.note(f"phyzctl: {printable(note)}")
    raise typer.Exit(Exit.FINDINGS if found.issues else Exit.CLEAN)


def _write_summary(found: Outcome, *, quiet: bool) -> None:
    if not quiet:
        streams.write("".join(f"{printable(line)}\n" for line in found.lines))
