"""`phyzctl simulate`: run a robot headless, write its trace, say what was left out."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from phyzctl.cli import options, reports
from phyzctl.cli.choices import positions
from phyzctl.cli.options import Base, ReportFormat
from phyzctl.cli.plan import Beginning, Length, Plan
from phyzctl.cli.simulating import Preparation, parse_ground, subject_of
from phyzctl.cli.streams import Color
from phyzctl.cli.telling import Telling
from phyzctl.sim.driving import Driving
from phyzctl.trace.files import format_of

app = typer.Typer(rich_markup_mode=None, add_completion=False)


class Integrator(StrEnum):
    """How a step is made."""

    EULER = "euler"
    IMPLICITFAST = "implicitfast"
    RK4 = "rk4"
    BEST = "best"


class Interpolation(StrEnum):
    """What holds between two rows of a table."""

    STEP = "step"
    LINEAR = "linear"


Steps = Annotated[int | None, typer.Option("--steps", "-n", min=0, help="How many steps.")]
Duration = Annotated[float | None, typer.Option(metavar="SECONDS", help="Instead of --steps.")]
Out = Annotated[
    str | None,
    typer.Option(
        "--out", "-o", metavar="TRACE", help="A file .mcap, .npz, .csv, .jsonl, .parquet."
    ),
]
From = Annotated[
    str | None, typer.Option("--from", metavar="TRACE", help="Go on from a state in a trace.")
]
Hold = Annotated[bool, typer.Option("--hold", help="Drive servos and motors to stay there.")]
Ctrl = Annotated[
    str | None, typer.Option(metavar="FILE", help="Controls by name and time, .csv or .npz.")
]
Between = Annotated[Interpolation, typer.Option(help="What --ctrl means between its times.")]
Waves = Annotated[
    list[str] | None,
    typer.Option("--sine", metavar="NAME=AMPLITUDE,HZ", help="Swing a control; repeatable."),
]
At = Annotated[
    float | None, typer.Option(metavar="SECONDS", help="With --from: when; its end by default.")
]
Dt = Annotated[float | None, typer.Option(metavar="SECONDS", help="Time step; the file's.")]
Every = Annotated[int | None, typer.Option(min=1, help="Steps from one sample to the next.")]
Rate = Annotated[float | None, typer.Option(metavar="HZ", help="Instead of --every.")]
Channels = Annotated[
    str | None,
    typer.Option(metavar="NAME,…", help="Besides state and controls: effort, poses, none."),
]
Formula = Annotated[Integrator | None, typer.Option(help="The file's, else best for URDF.")]
Stiff = Annotated[
    bool, typer.Option("--stiff", help="Contacts and limits as hard as the time step allows.")
]
Ground = Annotated[
    str, typer.Option(metavar="auto|none|Z", help="A floor under a URDF that floats; its height.")
]
Density = Annotated[
    float | None,
    typer.Option(metavar="DENSITY", min=0.0, help="Guess masses from shapes, at so many kg/m³."),
]
Many = Annotated[
    int | None, typer.Option("--batch", min=1, metavar="N", help="So many runs, a trace each.")
]
Drawn = Annotated[
    str | None, typer.Option(metavar="FILE", help="With --batch: ranges to draw from, in TOML.")
]
Seed = Annotated[int, typer.Option(min=0, help="With --batch: which numbers are drawn.")]
Jobs = Annotated[int | None, typer.Option(min=1, help="With --batch: threads. Changes no result.")]
Dask = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="With --batch: a Dask scheduler's workers.")
]
Allow = Annotated[
    bool, typer.Option("--allow-unsupported", help="Exit 0 though something was left out.")
]


@app.command()
def simulate(
    robot: options.File,
    *,
    steps: Steps = None,
    duration: Duration = None,
    out: Out = None,
    key: options.Key = None,
    q: options.Positions = None,
    resume: From = None,
    at: At = None,
    hold: Hold = False,
    ctrl: Ctrl = None,
    interpolation: Between = Interpolation.STEP,
    sine: Waves = None,
    dt: Dt = None,
    integrator: Formula = None,
    stiff: Stiff = False,
    every: Every = None,
    rate: Rate = None,
    channels: Channels = None,
    base: options.InWorld = Base.AUTO,
    ground: Ground = "auto",
    infer_inertia: Density = None,
    batch: Many = None,
    randomize: Drawn = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    dask: Dask = None,
    allow_unsupported: Allow = False,
    form: options.Report = ReportFormat.TEXT,
    output: options.Output = None,
    package_path: options.PackagePath = None,
    xacro_arg: options.XacroArg = None,
    stdin_filename: options.StdinName = None,
    show_source: options.ShowSource = None,
    color: options.When = Color.AUTO,
    quiet: options.Quiet = False,
) -> None:
    """Move a robot by its dynamics and write the trace of it.

    Starts in the reference pose unless --key, --q or --from says another. Exits 0 when all that
    the file asks for was computed, 1 when something was left out, 2 when asked for what makes no
    sense, 3 when the file is faulty or the run diverged (the trace ends with the last good state).
    """
    telling = Telling(form, reports.parse_outputs(output or ()), show_source, color, quiet)
    if out is not None:
        format_of(Path(out))
    stated = positions(q or ())
    preparation = Preparation(base.value, parse_ground(ground), infer_inertia, stated)
    subject = subject_of(
        robot, preparation, package_path or (), stdin_filename, xacro_arg=xacro_arg or ()
    )
    begin, length = Beginning(key, stated, resume, at), Length(steps, duration, every, rate)
    driving = Driving(hold, ctrl, interpolation is Interpolation.LINEAR, sine or ())
    method, extras = (dt, integrator, stiff), _extras(channels, out)
    plan = Plan(subject, begin, length, driving, method, extras, out, telling, allow_unsupported)
    if batch is None:
        raise typer.Exit(plan.one())
    raise typer.Exit(plan.many(batch, randomize, seed, jobs=jobs, dask=dask))


def _extras(stated: str | None, out: str | None) -> tuple[str, ...]:
    """What viewers want, for a trace that viewers open; else what is asked for."""
    if stated is None:
        return ("effort", "poses") if out is not None and out.lower().endswith(".mcap") else ()
    names = [name.strip() for name in stated.split(",")]
    return () if names == ["none"] else tuple(name for name in names if name)
