"""`phyzctl push`: run a push scenario, write its trace and its picture, say how it ends."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from phyzctl.cli import options, streams
from phyzctl.errors import PhyzctlError
from phyzctl.issues import Issues, LoadError
from phyzctl.pushing.command import ContactMode
from phyzctl.pushing.picture import draw
from phyzctl.pushing.record import all_events, record
from phyzctl.pushing.rollout import Rollout
from phyzctl.pushing.scenario import Scenario, load_scenario, roll_out
from phyzctl.report.text import printable
from phyzctl.trace.files import format_of, write_trace

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def push(
    file: Annotated[str, typer.Argument(metavar="SCENARIO", help="A push scenario, in TOML.")],
    *,
    out: Annotated[
        str | None,
        typer.Option(
            "--out", "-o", metavar="TRACE", help="A file .mcap, .npz, .csv, .jsonl, .parquet."
        ),
    ] = None,
    picture: Annotated[
        str | None, typer.Option(metavar="FILE.svg", help="A picture of the swept slider.")
    ] = None,
    quiet: options.Quiet = False,
) -> None:
    """Push a slider as a scenario says; write its trace and a picture.

    Exits 0 when done, 2 when asked for what makes no sense, 3 when the scenario is faulty.
    """
    _require_suffixes(out, picture)
    scenario = _load(file)
    rollouts = roll_out(scenario)
    if out is not None:
        write_trace(record(scenario, rollouts), out)
    if picture is not None:
        streams.write_file(picture, draw(scenario, rollouts))
    if not quiet:
        streams.write("".join(f"{printable(line)}\n" for line in _summary(scenario, rollouts)))


def _require_suffixes(out: str | None, picture: str | None) -> None:
    """Fail before the work, not after it."""
    if out is not None:
        format_of(Path(out))
    if picture not in (None, streams.STDOUT) and not str(picture).lower().endswith(".svg"):
        raise PhyzctlError(
            f"a picture is SVG: --picture wants a name that ends in .svg, not {picture!r}"
        )


def _load(file: str) -> Scenario:
    issues = Issues()
    scenario = load_scenario(file, issues)
    if scenario is None:
        raise LoadError(issues)
    return scenario


def _summary(scenario: Scenario, rollouts: Sequence[Rollout]) -> Iterator[str]:
    end, last = rollouts[-1].state, rollouts[-1]
    seconds = sum(each.duration for each in scenario.pushes)
    count = "1 push" if len(rollouts) == 1 else f"{len(rollouts)} pushes"
    yield f"{scenario.name}: {count}, {seconds:g} s"
    turned = f"{math.degrees(end.theta):.6f} deg"
    yield f"  ends at x {end.x:.9f} m, y {end.y:.9f} m, turned by {turned}"
    for index, command in enumerate(last.commands):
        mode = ContactMode(int(last.modes[-1, index])).label
        offset = f"{last.offsets[-1, index]:.9f} m along face {command.face}"
        yield f"  contact {index}: {mode}, {offset}"
    for time, text in all_events(scenario, rollouts):
        yield f"  at {time:.9f} s {text}"
