"""`phyzctl trace`: look into traces, compare, convert, plot, verify them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from phyzctl.cli import options, streams
from phyzctl.cli.exits import Exit
from phyzctl.cli.options import PlainFormat
from phyzctl.errors import PhyzctlError
from phyzctl.report.text import printable
from phyzctl.trace.files import format_of, read_trace, write_trace

app = typer.Typer(rich_markup_mode=None, add_completion=False, no_args_is_help=True)

File = Annotated[
    str, typer.Argument(metavar="TRACE", help="A file .mcap, .npz, .csv, .jsonl, .parquet.")
]
Other = Annotated[str, typer.Argument(metavar="OTHER", help="The one to compare it with.")]
Target = Annotated[
    str, typer.Option("--out", "-o", metavar="FILE", help="Where to write; the suffix says how.")
]
Columns = Annotated[
    list[str] | None,
    typer.Argument(metavar="[COLUMN]...", help="Such as q, v.elbow or '*.x'; all by default."),
]


@app.callback()
def root() -> None:
    """Look into traces, compare, convert, plot and verify them."""


@app.command()
def info(trace: File, *, form: options.Plain = PlainFormat.TEXT) -> None:
    """Tell what was run, how, and what the samples are."""
    from phyzctl.cli.tracing import described, document_of

    found = read_trace(trace)
    if form is PlainFormat.JSON:
        streams.write(json.dumps(document_of(found), indent=2, ensure_ascii=False) + "\n")
    else:
        streams.write("".join(f"{printable(line)}\n" for line in described(trace, found)))


@app.command()
def diff(
    trace: File,
    other: Other,
    *,
    rtol: Annotated[float, typer.Option(min=0.0, help="Relative to the second's value.")] = 0.0,
    atol: Annotated[float, typer.Option(min=0.0, help="In the unit of the column.")] = 0.0,
    form: options.Plain = PlainFormat.TEXT,
) -> None:
    """Find where two traces part first, and by how much at most. Exits 1 when they differ."""
    from phyzctl.cli.tracing import compared, comparison_document
    from phyzctl.trace.compare import compare

    found = compare(read_trace(trace), read_trace(other), rtol=rtol, atol=atol)
    if form is PlainFormat.JSON:
        streams.write(json.dumps(comparison_document(found), indent=2, ensure_ascii=False) + "\n")
    else:
        streams.write("".join(f"{printable(line)}\n" for line in compared(found)))
    raise typer.Exit(Exit.CLEAN if found.same else Exit.FINDINGS)


@app.command()
def convert(
    trace: File,
    *,
    out: Target,
    every: Annotated[int, typer.Option(min=1, help="Keep every so many samples.")] = 1,
) -> None:
    """Write a trace in another format."""
    format_of(Path(out))
    found = read_trace(trace)
    if every > 1:
        from phyzctl.cli.tracing import thinned

        found = thinned(found, every)
    if out.lower().endswith(".mcap"):
        from phyzctl.cli.tracing import for_viewers

        found, note = for_viewers(found)
        if note:
            streams.note(f"phyzctl: {printable(note)}")
    write_trace(found, out)


@app.command()
def plot(trace: File, columns: Columns = None, *, out: Target = streams.STDOUT) -> None:
    """Draw the columns of a trace over time, as SVG."""
    from phyzctl.trace.plot import plot as draw

    if out != streams.STDOUT and not out.lower().endswith(".svg"):
        raise PhyzctlError(f"a plot is SVG: --out wants a name that ends in .svg, not {out!r}")
    streams.write_file(out, draw(read_trace(trace), columns or (), title=Path(trace).name))


@app.command()
def verify(
    trace: File,
    *,
    robot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Instead of the file that the trace names.")
    ] = None,
    package_path: options.PackagePath = None,
    xacro_arg: options.XacroArg = None,
) -> None:
    """Run a trace again from its own header. Exits 1 when something else comes out."""
    from phyzctl.cli.tracing import compared, rerun
    from phyzctl.trace.compare import compare

    found = read_trace(trace)
    if not found.is_intact():
        streams.write("the values are not those that the digest was made of\n")
        raise typer.Exit(Exit.FINDINGS)
    again, notes = rerun(replace(found), robot, package_path or (), xacro_arg or ())
    for note in notes:
        streams.note(f"phyzctl: {printable(note)}")
    if again.header.digest == found.header.digest:
        streams.write(f"the same digest, {found.header.digest}, over {len(found)} samples\n")
        raise typer.Exit(Exit.CLEAN)
    streams.write("".join(f"{printable(line)}\n" for line in compared(compare(found, again))))
    raise typer.Exit(Exit.FINDINGS)
