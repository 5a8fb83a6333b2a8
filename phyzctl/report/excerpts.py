"""The line of a file that a place means, cut to a width that a screen has."""

from __future__ import annotations

from collections.abc import Mapping

from phyzctl.issues import Source

WIDTH = 140  # of an excerpt, in characters: a file may be one line of megabytes


class Excerpts:
    """Lines of texts by path, and which part of them is meant."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._lines: dict[str, list[str]] = {}

    def of(self, source: Source | None) -> tuple[str, int, int] | None:
        """A line with tabs as blanks, and where its marked part begins and ends, from 0."""
        line = self._line(source)
        if source is None or line is None:
            return None
        start = min(max((source.column or 1) - 1, 0), len(line))
        end = max(start + 1, min((source.end_column or 0) - 1, len(line)))
        return _window(line.expandtabs(1), start, end)

    def _line(self, source: Source | None) -> str | None:
        if source is None or not source.line or source.path not in self._texts:
            return None
        lines = self._lines.get(source.path)
        if lines is None:
            text = self._texts[source.path]
            line_end = "\n" if "\n" in text or "\r" not in text else "\r"
            lines = self._lines[source.path] = text.split(line_end)
        return lines[source.line - 1] if source.line <= len(lines) else None


def _window(line: str, start: int, end: int) -> tuple[str, int, int]:
    """At most `WIDTH` characters of a line that show its marked part, and where that is then."""
    if len(line) > WIDTH:
        left = max(0, start - WIDTH // 3)
        cut = line[left : left + WIDTH]
        head, tail = "…" if left else "", "…" if left + WIDTH < len(line) else ""
        shift = len(head) - left
        line, start, end = f"{head}{cut}{tail}", start + shift, min(end + shift, len(cut) + 1)
    return line.rstrip(), start, end
