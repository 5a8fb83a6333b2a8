"""Plain tables: columns as wide as their widest entry, two blanks between, never wrapped."""

from __future__ import annotations

from collections.abc import Sequence


def columns(rows: Sequence[Sequence[str]], *, right: frozenset[int] = frozenset()) -> str:
    """The rows as lines of text; columns whose index is in `right` align to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if index in right else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "".join(f"{line}\n" for line in lines)
