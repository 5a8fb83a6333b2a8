"""`phyzctl check`: does a robot touch itself, what it carries, or what stands around it?"""

from __future__ import annotations

from typing import Annotated

import typer

from phyzctl.cli import options, reports, streams
from phyzctl.cli.choices import positions
from phyzctl.cli.exits import Exit
from phyzctl.cli.options import Base, ReportFormat
from phyzctl.cli.scenery import Request, run
from phyzctl.cli.streams import Color
from phyzctl.cli.telling import Telling
from phyzctl.errors import PhyzctlError
from phyzctl.report.text import printable

app = typer.Typer(rich_markup_mode=None, add_completion=False)

SceneFile = Annotated[
    str | None, typer.Option("--scene", metavar="FILE", help="A scene, in TOML or MoveIt's text.")
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
Srdf = Annotated[str | None, typer.Option(metavar="FILE", help="The robot's SRDF.")]


@app.command()
def check(
    robot: options.File,
    *,
    scene: SceneFile = None,
    q: options.Positions = None,
    key: Key = None,
    trajectory: Way = None,
    margin: Margin = None,
    picture: Picture = None,
    form: options.Report = ReportFormat.TEXT,
    output: options.Output = None,
    base: options.InWorld = Base.AUTO,
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
    telling = Telling(form, reports.parse_outputs(output or ()), show_source, color, quiet)
    if picture not in (None, streams.STDOUT) and not str(picture).lower().endswith(".svg"):
        raise PhyzctlError(f"--picture wants a name that ends in .svg, not {picture!r}")
    request = Request(
        robot=robot,
        scene=scene,
        q=positions(q or ()),
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
    telling.tell(found.issues, found.files, found.texts, found.lines)
    if picture is not None:
        streams.write_file(picture, found.picture)
    for note in found.notes:
        streams.note(f"phyzctl: {printable(note)}")
    raise typer.Exit(Exit.FINDINGS if found.issues else Exit.CLEAN)
