"""What exit codes say."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """The exit codes of every verb."""

    CLEAN = 0
    FINDINGS = 1  # at or above --fail-on
    USAGE = 2  # or configuration, or a path that isn't there
    UNFINISHED = 3  # unreadable input, or a bug of ours
    INTERRUPTED = 130
