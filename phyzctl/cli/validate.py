"""`phyzctl validate`: find files, check them, report, exit."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from phyzctl.cli import options, reports, streams
from phyzctl.cli.baselines import Baselines
from phyzctl.cli.checking import Checked, check, check_all
from phyzctl.cli.choices import Choices
from phyzctl.cli.exits import Exit
from phyzctl.cli.fixing import Fixing
from phyzctl.cli.options import ReportFormat
from phyzctl.cli.streams import Color
from phyzctl.cli.targets import find_targets
from phyzctl.lint.engine import rules
from phyzctl.report.report import Report
from phyzctl.report.text import COLOURED, PLAIN
from phyzctl.report.text import render as render_text

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def validate(
    files: options.Files,
    *,
    form: options.Report = ReportFormat.TEXT,
    output: options.Output = None,
    select: options.Select = None,
    extend_select: options.ExtendSelect = None,
    ignore: options.Ignore = None,
    target: options.Target = None,
    fail_on: options.FailFrom = None,
    deep: options.Deep = False,
    pedantic: options.Pedantic = False,
    no_meshes: options.NoMeshes = False,
    strict_assets: options.StrictAssets = False,
    package_path: options.PackagePath = None,
    config: options.ConfigFile = None,
    stdin_filename: options.StdinName = None,
    baseline: options.KnownFile = None,
    write_baseline: options.WriteKnown = None,
    fix: options.Fix = False,
    unsafe_fixes: options.UnsafeFixes = False,
    diff: options.Diff = False,
    show_source: options.ShowSource = None,
    color: options.When = Color.AUTO,
    quiet: options.Quiet = False,
) -> None:
    """Find what is wrong in robot descriptions, with file, line and column.

    Exits 0 when clean, 1 with findings at or above --fail-on, 2 when asked for what makes no
    sense, 3 when a file could not be read.
    """
    outputs = reports.parse_outputs(output or ())
    choices = Choices(
        file=config,
        select=select or (),
        extend_select=extend_select or (),
        ignore=ignore or (),
        target=target or (),
        package_path=package_path or (),
        fail_on=fail_on,
        deep=deep,
        pedantic=pedantic,
        no_meshes=no_meshes,
        strict_assets=strict_assets,
    )
    fixing = Fixing(fix, unsafe_fixes, diff)
    known = Baselines.of(baseline, write_baseline, dry_run=diff and not fix)
    targets = find_targets(files, stdin_filename)
    checked = check_all(targets, choices, fixing.around(known.around(check)))
    known.finish(checked, choices, quiet=quiet)
    read = [target.path for target in targets if target.path not in checked.unread]
    report = _report(checked, read)
    reports.write_outputs(report, outputs)
    fixing.tell(quiet=quiet)
    if form is ReportFormat.TEXT:
        text = _text(report, show_source=show_source, color=color, summary=not quiet)
    else:
        text = reports.render(report, form)
    (streams.note_all if diff else streams.write)(text)
    raise typer.Exit(_finish(checked, differs=fixing.would_change))


def _report(checked: Checked, files: Sequence[str]) -> Report:
    issues, texts = checked.issues, checked.texts
    return reports.make_report(issues, files, texts, rules(), failing=checked.failing)


def _text(report: Report, *, show_source: bool | None, color: Color, summary: bool) -> str:
    shown = sys.stdout.isatty() if show_source is None else show_source
    style = COLOURED if streams.coloured(color) else PLAIN
    return render_text(report, style=style, excerpts=shown, summary=summary)


def _finish(checked: Checked, *, differs: bool) -> Exit:
    for complaint in checked.unread.values():
        streams.note(f"phyzctl: {complaint}")
    if checked.unread:
        return Exit.UNFINISHED
    return Exit.FINDINGS if checked.failing or differs else Exit.CLEAN
