"""Fixes as the command line asks for them: made, shown, or both."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from phyzctl.cli import streams
from phyzctl.cli.checking import check, judged
from phyzctl.cli.judging import Judged, Sift
from phyzctl.cli.targets import Target
from phyzctl.config import Config
from phyzctl.errors import PhyzctlError
from phyzctl.formats import Reading
from phyzctl.issues import Issue
from phyzctl.records import dataclass
from phyzctl.report.text import plural

if TYPE_CHECKING:
    from phyzctl.lint.fix import Change

_ROUNDS = 20  # of fixing files that others include, each of which is a file written


@dataclass
class Fixing:
    """What `--fix`, `--unsafe-fixes` and `--diff` ask for, and what came of it so far.

    `sift` chooses the Issues of a file that count.
    """

    sift: Sift
    fix: bool = False
    unsafe: bool = False
    diff: bool = False
    changes: list[Change] = field(default_factory=list)
    fixed: int = 0
    withheld: int = 0

    def __post_init__(self) -> None:
        if self.unsafe and not self.wanted:
            raise PhyzctlError("--unsafe-fixes goes with --fix, which makes them, or with --diff")

    @property
    def wanted(self) -> bool:
        """True when anything of fixes is asked for."""
        return self.fix or self.diff

    def judge(self, target: Target, config: Config) -> Judged:
        """Fix what can be fixed in a file, of what `sift` leaves, and find what is left."""
        from phyzctl.lint.fix import repair, withheld, write  # most runs fix nothing

        if self.fix and target.data is not None:
            raise PhyzctlError("--fix can't change stdin; --diff alone shows what it would change")

        def look(data: bytes | None) -> tuple[Reading, list[Issue]]:
            reading, issues = check(target if data is None else Target(target.path, data), config)
            return reading, list(self.sift(target, config, judged(reading, issues)))

        for _ in range(_ROUNDS):
            repaired = repair(look, target.path, unsafe=self.unsafe)
            self.fixed += repaired.fixed
            self.changes += repaired.changes
            if not self.fix:
                break
            write(repaired.changes)
            if all(change.path == target.path for change in repaired.changes):
                break
        if not self.unsafe:
            left = withheld(repaired.issues, repaired.reading.documents)
            self.withheld += sum(1 for _ in left)
        return judged(repaired.reading, repaired.issues)

    @property
    def would_change(self) -> bool:
        """True when a dry run found something to change."""
        return self.diff and not self.fix and bool(self.changes)

    def tell(self, *, quiet: bool) -> None:
        """Show the diff on stdout, and on stderr how much was done."""
        if self.diff:
            distinct = {(change.path, change.after): change for change in self.changes}
            streams.write("".join(change.diff() for change in distinct.values()))
        if self.wanted and not quiet:
            streams.note(self._summary())

    def _summary(self) -> str:
        files = plural(len({change.path for change in self.changes}), "file")
        done = "fixed" if self.fix else "would fix"
        said = f"{done} {plural(self.fixed, 'issue')} in {files}" if self.fixed else "nothing fixed"
        more = f"; --unsafe-fixes would fix {self.withheld} more" if self.withheld else ""
        return said + more
