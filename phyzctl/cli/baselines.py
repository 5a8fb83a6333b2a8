"""Baselines as the command line asks for them: known findings left out, or written down."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import field

from phyzctl.cli import streams
from phyzctl.cli.choices import Choices
from phyzctl.cli.judging import Checked, Judged
from phyzctl.cli.targets import Target
from phyzctl.config import Config
from phyzctl.errors import PhyzctlError
from phyzctl.issues import Issue
from phyzctl.lint.baseline import Baseline, baseline_of, baseline_text, read_baseline
from phyzctl.lint.engine import restamped, rules
from phyzctl.lint.select import Selection
from phyzctl.records import dataclass
from phyzctl.report.text import plural


@dataclass
class Baselines:
    """What `--baseline` and `--write-baseline` ask for, and what the checks found so far."""

    known: Baseline | None = None
    write_to: str | None = None
    _found: dict[str, Sequence[Issue]] = field(default_factory=dict, init=False)
    _checked: dict[str, Config] = field(default_factory=dict, init=False)

    @classmethod
    def of(cls, known: str | None, write_to: str | None, *, dry_run: bool) -> Baselines:
        """Read the baseline at `known`, if any."""
        if dry_run and write_to is not None:
            raise PhyzctlError("--write-baseline writes what is left; with --diff, give --fix too")
        return cls(None if known is None else read_baseline(known), write_to)

    def new(self, target: Target, config: Config, judged: Judged) -> Sequence[Issue]:
        """Those Issues of a file that are not known."""
        self._found[target.path] = judged.issues
        if judged.is_robot:
            for path in judged.documents:
                self._checked[os.path.abspath(path)] = config
        return judged.issues if self.known is None else self.known.new(judged.issues)

    def finish(self, checked: Checked, choices: Choices, *, quiet: bool) -> None:
        """Write the baseline, whose findings are known from now on; or report stale entries.

        What couldn't be read can't be known: no baseline is written then.
        """
        if self.write_to is None:
            self._report_stale(checked, choices)
        elif not checked.unread:
            # A file that several robots include has its findings once.
            found = dict.fromkeys(issue for issues in self._found.values() for issue in issues)
            streams.write_file(self.write_to, baseline_text(baseline_of(found, self.write_to)))
            checked.forget()
            if not quiet:
                streams.note(f"wrote {plural(len(found), 'finding')} to {self.write_to}")

    def _report_stale(self, checked: Checked, choices: Choices) -> None:
        if self.known is None:
            return
        config = choices.config(self.known.path)
        selection = Selection(config, rules())
        stale = self.known.stale(self._judged)
        taken = [issue for issue in stale if selection.takes(issue.code, issue.severity)]
        checked.add((restamped(issue, selection) for issue in taken), config)

    def _judged(self, path: str, code: str) -> bool:
        """True when a file was checked for a code; one that doesn't exist is never found."""
        config = self._checked.get(path)
        if config is None:
            return False
        return code not in rules() or Selection(config, rules()).looks_for(rules()[code])
