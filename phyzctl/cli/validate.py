"""`phyzctl validate`: find files, check them, report, exit."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace

import typer

from phyzctl.cli import options, reports, streams
from phyzctl.cli.baselines import Baselines
from phyzctl.cli.caching import cached
from phyzctl.cli.checking import judge
from phyzctl.cli.choices import Choices, Rules, Switches
from phyzctl.cli.exits import Exit
from phyzctl.cli.fixing import Fixing
from phyzctl.cli.judging import Checked, check_all
from phyzctl.cli.options import ReportFormat
from phyzctl.cli.streams import Color
from phyzctl.cli.targets import STDIN, Target, find_targets, listed_targets
from phyzctl.cli.variants import WithVariants
from phyzctl.errors import PhyzctlError
from phyzctl.lint.engine import rules
from phyzctl.report.report import Report
from phyzctl.report.text import COLOURED, PLAIN
from phyzctl.report.text import render as render_text

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def validate(
    files: options.Files = None,
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
    xacro_arg: options.XacroArg = None,
    config: options.ConfigFile = None,
    stdin_filename: options.StdinName = None,
    srdf: options.Semantics = None,
    baseline: options.KnownFile = None,
    write_baseline: options.WriteKnown = None,
    fix: options.Fix = False,
    unsafe_fixes: options.UnsafeFixes = False,
    diff: options.Diff = False,
    show_source: options.ShowSource = None,
    color: options.When = Color.AUTO,
    quiet: options.Quiet = False,
    files_from: options.FilesFrom = None,
    changed_since: options.ChangedSince = None,
    jobs: options.Jobs = 1,
    no_cache: options.NoCache = False,
    _cache_dir: options.CacheFolder = None,
) -> None:
    """Find what is wrong in robot descriptions, with file, line and column.

    Exits 0 when clean, 1 with findings at or above --fail-on, 2 when asked for what makes no
    sense, 3 when a file could not be read.
    """
    outputs = reports.parse_outputs(output or ())
    chosen = Rules(select, extend_select, ignore, target)
    switches = Switches(deep, pedantic, no_meshes, strict_assets)
    choices = Choices(config, package_path, fail_on, chosen, switches, xacro_arg)
    known = Baselines.of(baseline, write_baseline, dry_run=diff and not fix)
    fixing = Fixing(known.new, fix, unsafe_fixes, diff)
    named = _with_srdf(_targets(files or (), files_from, stdin_filename), srdf)
    targets = _concerned(named, changed_since, choices)
    if fixing.wanted:  # one after the other, since they may share what they include
        checked = check_all(targets, choices, WithVariants(fixing.judge))
    else:
        memory = judge if no_cache else cached(judge)
        checked = check_all(targets, choices, WithVariants(memory), sift=known.new, jobs=jobs)
    known.finish(checked, choices, quiet=quiet)
    pictured = "html" in {form, *dict(outputs)}
    report = _report(checked, targets, choices if pictured else None)
    reports.write_outputs(report, outputs)
    fixing.tell(quiet=quiet)
    text = _text(report, form, show_source, color, quiet)
    (streams.note_all if diff else streams.write)(text)
    raise typer.Exit(_finish(checked, differs=fixing.would_change))


def _targets(files: Sequence[str], listed: str | None, stdin_name: str | None) -> list[Target]:
    """The files that are named and those in a list, each once."""
    if not files and listed is None:
        raise typer.BadParameter(
            "name some, or a list of them with --files-from", param_hint="FILES"
        )
    if listed == STDIN and STDIN in files:
        raise PhyzctlError("stdin can't be both a robot and the list of --files-from")
    named = find_targets(files, stdin_name, srdf=True)
    more = listed_targets(listed) if listed is not None else []
    return list({os.path.normpath(target.path): target for target in [*more, *named]}.values())


def _with_srdf(targets: list[Target], srdf: str | None) -> list[Target]:
    """The targets and an SRDF that was named, which is about the one that is a robot."""
    if srdf is None:
        return targets
    path = os.path.normpath(srdf)
    robots = [target for target in targets if os.path.normpath(target.path) != path]
    if len(robots) != 1 or robots[0].data is not None:
        raise PhyzctlError("--srdf is about one robot: name its file, and no other")
    (found,) = find_targets([srdf])
    return [*robots, replace(found, urdf=robots[0].path)]


def _concerned(targets: list[Target], ref: str | None, choices: Choices) -> list[Target]:
    """Those that changed since `ref`, if that is asked."""
    if ref is None:
        return targets
    from phyzctl.cli.changes import Changes  # few runs ask git

    return Changes(ref, choices).among(targets)


def _report(checked: Checked, targets: Sequence[Target], pictured: Choices | None) -> Report:
    """The report, with drawings of the robots when there are choices to read them by."""
    read = [target for target in targets if target.path not in checked.unread]
    issues, texts, files = checked.issues, checked.texts, [target.path for target in read]
    report = reports.make_report(issues, files, texts, rules(), failing=checked.failing)
    if pictured is None:
        return report
    from phyzctl.cli.drawing import drawn  # which takes more than most reports need

    return replace(report, scenes=drawn(read, issues, pictured))


def _text(report: Report, form: str, show_source: bool | None, color: Color, quiet: bool) -> str:
    if form != "text":
        return reports.render(report, form)
    shown = sys.stdout.isatty() if show_source is None else show_source
    style = COLOURED if streams.coloured(color) else PLAIN
    return render_text(report, style=style, excerpts=shown, summary=not quiet)


def _finish(checked: Checked, *, differs: bool) -> Exit:
    for complaint in checked.unread.values():
        streams.note(f"phyzctl: {complaint}")
    if checked.unread:
        return Exit.UNFINISHED
    return Exit.FINDINGS if checked.failing or differs else Exit.CLEAN
