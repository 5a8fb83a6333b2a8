"""What a run of the command ends in: a sentence on stderr and an exit code, never a traceback."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Self

from phyzctl.cli import streams
from phyzctl.cli.exits import Exit
from phyzctl.errors import PhyzctlError, UnreadableError


class Outcome:
    """Around a run: turns whatever it raises into an exit code.

    A `PhyzctlError` is misuse (2) or unreadable input (3); anything else that is raised is a bug
    of ours (3), which must never look like findings (1). `debug` prints its traceback.
    """

    def __init__(self, *, debug: bool) -> None:
        self._debug = debug

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        if isinstance(error, SystemExit):
            if isinstance(error.__context__, BrokenPipeError):  # click makes it 1: findings
                sys.exit(Exit.CLEAN)
        elif error is not None:
            sys.exit(self._tell(error))

    def _tell(self, error: BaseException) -> Exit:
        import traceback  # here, since `--help` has no use for them

        from phyzctl.issues import IssuesError

        if isinstance(error, KeyboardInterrupt):
            return Exit.INTERRUPTED
        if isinstance(error, IssuesError):
            streams.note("\n".join(str(issue) for issue in error.issues))
            return Exit.UNFINISHED
        if isinstance(error, PhyzctlError):
            streams.note(f"phyzctl: {error}")
            return Exit.UNFINISHED if isinstance(error, UnreadableError) else Exit.USAGE
        if self._debug:
            streams.note("".join(traceback.format_exception(error)).rstrip())
        else:
            streams.note(_apology(error))
        return Exit.UNFINISHED


def _apology(error: BaseException) -> str:
    said = " ".join(str(error).split())
    what = f"{type(error).__name__}: {said}" if said else type(error).__name__
    return f"phyzctl: this is a bug in phyzctl: {what} (--debug shows where)"
