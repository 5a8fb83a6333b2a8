"""`phyzctl smoke`: hold a robot for a while, and tell what its author should know."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from phyzctl.cli import options, reports, streams
from phyzctl.cli.choices import positions
from phyzctl.cli.exits import Exit
from phyzctl.cli.options import Base, FailOn, ReportFormat
from phyzctl.cli.simulate import Density, Dt, Formula, Ground
from phyzctl.cli.simulating import (
    Preparation,
    engine_of,
    parse_ground,
    subject_of,
)
from phyzctl.cli.streams import Color
from phyzctl.cli.telling import Telling
from phyzctl.issues import Issue, Severity
from phyzctl.report.text import plural, printable
from phyzctl.sim.smoke import home_key, smoke
from phyzctl.sim.start import initial_start
from phyzctl.sim.unsupported import unsupported_issues

app = typer.Typer(rich_markup_mode=None, add_completion=False)

Seconds = Annotated[float, typer.Option(metavar="SECONDS", min=0.0, help="How long it is held.")]
FailFrom = Annotated[FailOn, typer.Option(help="Exit 1 from this severity on.")]


@app.command("smoke")
def smoke_test(
    robot: options.File,
    *,
    duration: Seconds = 2.0,
    key: options.Key = None,
    q: options.Positions = None,
    dt: Dt = None,
    integrator: Formula = None,
    base: options.InWorld = Base.AUTO,
    ground: Ground = "auto",
    infer_inertia: Density = None,
    fail_on: FailFrom = FailOn.ERROR,
    form: options.Report = ReportFormat.TEXT,
    output: options.Output = None,
    package_path: options.PackagePath = None,
    xacro_arg: options.XacroArg = None,
    stdin_filename: options.StdinName = None,
    show_source: options.ShowSource = None,
    color: options.When = Color.AUTO,
    quiet: options.Quiet = False,
) -> None:
    """Hold a robot where it starts, and report what goes wrong.

    Starts in the keyframe `home`, else the first keyframe, else the reference pose. Exits 0 when
    nothing is found at or above --fail-on, 1 when something is, 2 when asked for what makes no
    sense, 3 when the file is faulty or the run diverged.
    """
    telling = Telling(form, reports.parse_outputs(output or ()), show_source, color, quiet)
    stated = positions(q or ())
    preparation = Preparation(base.value, parse_ground(ground), infer_inertia, stated)
    subject = subject_of(
        robot, preparation, package_path or (), stdin_filename, xacro_arg=xacro_arg or ()
    )
    for note in subject.notes:
        streams.note(f"phyzctl: {printable(note)}")
    engine = engine_of(subject, dt, integrator)
    chosen = key if key is not None or stated else home_key(subject.model)
    begun = time.perf_counter()
    found = smoke(engine, initial_start(subject.model, key=chosen, q=stated), duration)
    issues = [*unsupported_issues(subject.model), *found.issues]
    seconds = time.perf_counter() - begun
    where = f"keyframe {chosen!r}" if chosen is not None else "the reference pose"
    line = (
        f"{subject.model.robot.name}: {found.seconds:g} s held in {where}, "
        f"{plural(len(issues), 'finding')}, {seconds:.2g} s"
    )
    telling.tell(issues, [subject.path], subject.texts, [line])
    if found.broke:
        raise typer.Exit(Exit.UNFINISHED)
    raise typer.Exit(Exit.FINDINGS if _fails(issues, fail_on) else Exit.CLEAN)


def _fails(issues: list[Issue], fail_on: FailOn) -> bool:
    least = {each.label: each for each in Severity}.get(fail_on.value)
    return least is not None and any(issue.severity >= least for issue in issues)
