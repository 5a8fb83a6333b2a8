"""Measured figures: MuJoCo's and ours of the same scene, and the lines of docs/anchors.md."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple


class Beside(NamedTuple):
    """One quantity, measured on both; None where there is nothing to measure."""

    theirs: float | None
    ours: float


def defaults(measure: Callable[[str], Beside]) -> Beside:
    """MuJoCo by its Euler, ours by `best`."""
    return Beside(measure("euler").theirs, measure("best").ours)


@dataclass(frozen=True)
class Line:
    """A line of the page: what is measured, what it should be, and how to measure it."""

    scene: str
    expected: str
    measure: Callable[[], Beside]
    scale: float = 1.0
    """By which figures are multiplied for the page."""

    def markdown(self) -> str:
        """The line, measured now."""
        found = self.measure()
        theirs, ours = self._shown(found.theirs), self._shown(found.ours)
        return f"| {self.scene} | {self.expected} | {theirs} | {ours} |"

    def _shown(self, value: float | None) -> str:
        if value is None:
            return ""
        if value == float("inf"):
            return "infinite"
        return re.sub(
            r"e([+-])0?(\d)",
            lambda found: f"e{found[1].strip('+')}{found[2]}",
            f"{self.scale * value:.3g}",
        )
