"""`phyzctl exclude`: which pairs of bodies should never collide, with evidence."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from phyzctl.cli import options, streams
from phyzctl.cli.choices import Choices, packages
from phyzctl.cli.excluding import (
    ExcludeFormat,
    Request,
    explained,
    outputs,
    reviewed,
    subject_of,
)
from phyzctl.cli.exits import Exit
from phyzctl.cli.moveit import config_package
from phyzctl.cli.options import Base
from phyzctl.errors import PhyzctlError
from phyzctl.exclude.survey import TRIALS, WORK, Effort
from phyzctl.exclude.verdict import Policy

app = typer.Typer(rich_markup_mode=None, add_completion=False, no_args_is_help=True)

Robot = Annotated[
    str | None, typer.Argument(metavar="[ROBOT]", help="A robot description, or - for stdin.")
]
Urdf = Annotated[str | None, typer.Option(metavar="FILE", help="The robot, as MoveIt names it.")]
Package = Annotated[
    str | None,
    typer.Option(
        "--config-pkg", metavar="PKG", help="A MoveIt config package: its robot and SRDF."
    ),
]
Given = Annotated[str | None, typer.Option("--srdf", metavar="FILE", help="The robot's SRDF.")]
Samples = Annotated[
    int, typer.Option("--samples", "--trials", min=0, help="How many configurations to look at.")
]
Seed = Annotated[int, typer.Option(min=0, help="Which configurations these are.")]
Jobs = Annotated[
    int | None, typer.Option(min=1, help="Threads; all cores by default. Changes no result.")
]
Prove = Annotated[bool, typer.Option("--prove/--no-prove", help="Search for proofs of never.")]
Work = Annotated[
    float, typer.Option(min=0.0, help="Most that proofs may compute, in steps of about 1 ns.")
]
Inflate = Annotated[
    bool, typer.Option("--inflate", help="Prove 0.02 rad and 2 mm beyond the joint limits.")
]
InWorld = Annotated[Base, typer.Option(help="How the root link stands in the world.")]
Fraction = Annotated[
    float,
    typer.Option(min=0.0, max=1.0, help="From which share of samples on an overlap is always."),
]
Form = Annotated[
    ExcludeFormat | None,
    typer.Option("--format", "-f", help="A table, unless the output file's suffix says more."),
]
Output = Annotated[
    str | None, typer.Option("--output", "-o", metavar="FILE", help="Instead of stdout.")
]
Reasons = Annotated[
    str | None,
    typer.Option(metavar="REASON,…", help="In SRDF, only of adjacent, default, always, never."),
]
Write = Annotated[
    bool, typer.Option("--write", help="Edit the MJCF or SRDF in place: its own lines only.")
]
Check = Annotated[bool, typer.Option("--check", help="Exit 1 if --write would change anything.")]
Default = Annotated[
    bool, typer.Option("--default", help="In SRDF, of Default and Always the former.")
]
Always = Annotated[
    bool, typer.Option("--always", help="In SRDF, of Default and Always the latter.")
]
Never = Annotated[bool, typer.Option("--never", help="In MJCF, also pairs that never touch.")]
Margin = Annotated[
    float, typer.Option(min=0.0, metavar="METRES", help="Clearance that a never must keep.")
]
XacroArgs = Annotated[
    str | None,
    typer.Option(metavar="'NAME:=VALUE …'", help="Arguments of a xacro, as MoveIt takes them."),
]


@app.command()
def suggest(
    robot: Robot = None,
    *,
    urdf: Urdf = None,
    srdf: Given = None,
    config_pkg: Package = None,
    form: Form = None,
    output: Output = None,
    write: Write = False,
    diff: Annotated[bool, typer.Option("--diff", help="Show what --write would change.")] = False,
    check: Check = False,
    never: Never = False,
    never_margin: Margin = 0.0,
    reasons: Reasons = None,
    default: Default = False,
    always: Always = False,
    keep: Annotated[bool, typer.Option("--keep", help="Remove no pair from the SRDF.")] = False,
    xacro_args: XacroArgs = None,
    min_collision_fraction: Fraction = 0.95,
    samples: Samples = TRIALS,
    seed: Seed = 0,
    jobs: Jobs = None,
    prove: Prove = True,
    work: Work = WORK,
    inflate: Inflate = False,
    base: InWorld = Base.AUTO,
    package_path: options.PackagePath = None,
    xacro_arg: options.XacroArg = None,
    stdin_filename: options.StdinName = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="Show every pair.")] = False,
    quiet: options.Quiet = False,
) -> None:
    """Suggest the pairs that overlap as drawn, and write them where they belong."""
    moveit = config_package(config_pkg, packages(package_path or ()))
    stated = [*moveit.xacro_args, *(xacro_arg or ()), *(xacro_args or "").split()]
    choices = Choices(package_path=package_path, xacro_arg=stated)
    robot = _one(robot, urdf, moveit.urdf)
    subject = subject_of(robot, srdf or moveit.srdf, base, choices, stdin_filename)
    effort = Effort(samples, seed, _threads(jobs), prove=prove, work=work, inflate=inflate)
    report = subject.survey(effort)
    request = Request(
        policy=Policy(min_collision_fraction, never_margin, never),
        labels=_labels(reasons, default=default, always=always),
        keep=keep,
        verbose=verbose,
    )
    outcome = outputs(subject, report, request)
    if not quiet:
        outcome.remark()
    if write or diff or check:
        changed = outcome.change(write=write, diff=diff)
        raise typer.Exit(Exit.FINDINGS if check and changed else Exit.CLEAN)
    streams.write_file(output or streams.STDOUT, outcome.text(form, output))


@app.command()
def explain(
    robot: Annotated[str, typer.Argument(metavar="ROBOT", help="A robot description.")],
    first: Annotated[str, typer.Argument(metavar="A", help="A body.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another body.")],
    *,
    srdf: Given = None,
    samples: Samples = TRIALS,
    seed: Seed = 0,
    jobs: Jobs = None,
    prove: Prove = True,
    base: InWorld = Base.AUTO,
    min_collision_fraction: Fraction = 0.95,
    package_path: options.PackagePath = None,
    xacro_arg: options.XacroArg = None,
) -> None:
    """Show all that is known of one pair: witness poses, distances, what a proof would take."""
    choices = Choices(package_path=package_path, xacro_arg=xacro_arg)
    subject = subject_of(robot, srdf, base, choices)
    pair = subject.pair(first, second)
    report = subject.survey(Effort(samples, seed, _threads(jobs), prove=prove), pair)
    streams.write(explained(report, Policy(min_collision_fraction)))


@app.command()
def lint(
    robot: Annotated[str, typer.Argument(metavar="ROBOT", help="A robot description.")],
    *,
    srdf: Annotated[str, typer.Option("--srdf", metavar="FILE", help="The SRDF to judge.")],
    samples: Samples = TRIALS,
    seed: Seed = 0,
    jobs: Jobs = None,
    base: InWorld = Base.AUTO,
    min_collision_fraction: Fraction = 0.95,
    package_path: options.PackagePath = None,
    xacro_arg: options.XacroArg = None,
    quiet: options.Quiet = False,
) -> None:
    """Find what is wrong with the pairs of an SRDF: doubles, unknown links, wrong reasons."""
    choices = Choices(package_path=package_path, xacro_arg=xacro_arg)
    subject = subject_of(robot, srdf, base, choices)
    report = subject.survey(Effort(samples, seed, _threads(jobs), prove=False))
    failed = reviewed(subject, report, Policy(min_collision_fraction), quiet=quiet)
    raise typer.Exit(Exit.FINDINGS if failed else Exit.CLEAN)


def _one(robot: str | None, urdf: str | None, packaged: str | None) -> str:
    given = {"as an argument": robot, "by --urdf": urdf, "by --config-pkg": packaged}
    stated = {how: path for how, path in given.items() if path is not None}
    if len(stated) > 1:
        raise PhyzctlError(f"the robot is given twice: {' and '.join(stated)}")
    for path in stated.values():
        return path
    raise PhyzctlError("which robot? Give its file, --urdf FILE, or --config-pkg PKG")


def _threads(jobs: int | None) -> int:
    return jobs or os.cpu_count() or 1


def _labels(reasons: str | None, *, default: bool, always: bool) -> frozenset[str]:
    """The labels that an SRDF gets.

    `collisions_updater` writes Default and Always only when asked; with neither flag all are
    written here, since a matrix without them is of no use.
    """
    known = ("Adjacent", "Default", "Always", "Never")
    if reasons is not None:
        wanted = [word.strip().capitalize() for word in reasons.split(",") if word.strip()]
        for word in wanted:
            if word not in known:
                raise PhyzctlError(f"--reasons: {word!r} is none of {', '.join(known)}")
        return frozenset(wanted)
    if not default and not always:
        return frozenset(known)
    extra = {"Default": default, "Always": always}
    return frozenset(label for label in known if extra.get(label, True))
