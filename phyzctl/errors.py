"""Misuse and input/output failures: one sentence each, naming the valid choices.

A fault in the user's file is an `Issue` (see `phyzctl.issues`), never one of these.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable


class PhyzctlError(Exception):
    """Base of every error that phyzctl raises on purpose."""


class NotFoundError(PhyzctlError):
    """A path that isn't there, or a name that the model doesn't know."""


class UnreadableError(PhyzctlError):
    """Input that could not be read at all: permission, a directory, a broken pipe."""


def shortened(text: str, most: int = 200) -> str:
    """A name or the words of another program, which can be megabytes long, fit for a sentence."""
    return text if len(text) <= most else text[:most] + "…"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A clause that offers the nearest known name, or nothing when none is near."""
    match = nearest(name, known)
    return f"; did you mean {match!r}?" if match is not None else ""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name most like `name`, None when none is alike enough to suggest."""
    matches = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return matches[0] if matches else None


class Suggester:
    """Offers nearest names until it has made very many comparisons, and none from then on.

    So a file of nothing but unknown names is judged in bounded time.
    """

    def __init__(self, comparisons: int = 20_000) -> None:
        self._left = comparisons

    def nearest(self, name: str, known: Collection[str]) -> str | None:
        """Like the function of that name."""
        if self._left <= 0:
            return None
        self._left -= len(known)
        return nearest(name, known)

    def did_you_mean(self, name: str, known: Collection[str]) -> str:
        """Like the function of that name."""
        match = self.nearest(name, known)
        return f"; did you mean {match!r}?" if match is not None else ""
