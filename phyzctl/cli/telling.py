"""How a verb that runs robots tells its findings, and some lines besides."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from phyzctl.cli import reports, streams
from phyzctl.cli.options import ReportFormat
from phyzctl.cli.streams import Color
from phyzctl.issues import Issue
from phyzctl.records import dataclass
from phyzctl.report.text import COLOURED, PLAIN, printable
from phyzctl.report.text import render as render_text

if TYPE_CHECKING:
    from phyzctl.lint.rule import Rule


@dataclass(frozen=True)
class Telling:
    """What the command line says about telling; `output` are its `FORMAT=FILE`s."""

    form: ReportFormat
    output: Sequence[tuple[str, str]]
    show_source: bool | None
    color: Color
    quiet: bool

    def tell(
        self,
        issues: Iterable[Issue],
        files: Sequence[str],
        texts: Mapping[str, str],
        lines: Iterable[str],
    ) -> None:
        """Report the Issues on stdout and in files; in text, the lines behind them."""
        plain = self.form is ReportFormat.TEXT and not self.output
        known = {} if plain else _rules()
        report = reports.make_report(issues, files, texts, known)
        reports.write_outputs(report, self.output)
        if self.form is not ReportFormat.TEXT:
            streams.write(reports.render(report, self.form))
            return
        shown = sys.stdout.isatty() if self.show_source is None else self.show_source
        style = COLOURED if streams.coloured(self.color) else PLAIN
        streams.write(render_text(report, style=style, excerpts=shown, summary=False))
        if not self.quiet:
            streams.write("".join(f"{printable(line)}\n" for line in lines))

    @property
    def bar(self) -> bool:
        """True when a progress bar is welcome."""
        return sys.stderr.isatty() and not self.quiet


def _rules() -> Mapping[str, Rule]:
    """All rules; to find them takes longer than most runs."""
    from phyzctl.lint.engine import rules

    return rules()
