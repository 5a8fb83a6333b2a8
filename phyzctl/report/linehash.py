"""The fingerprint of a line that GitHub's code scanning tracks findings by.

It covers the line and what follows, 100 characters without blanks, so that it survives edits
elsewhere in the file. The arithmetic is fixed by the service's own uploader, which warns when a
SARIF file states another value than it would compute itself.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator

_WINDOW = 100
_BASE = 37
_MASK = (1 << 64) - 1
_LEAVING = pow(_BASE, _WINDOW, 1 << 64)
_END = 0xFFFF


def line_hashes(text: str) -> list[str]:
    """The fingerprint of every line, first line first: hash, colon, how often it occurred."""
    seen: Counter[str] = Counter()
    hashes = []
    for value in _rolling(text):
        digits = f"{value:x}"
        seen[digits] += 1
        hashes.append(f"{digits}:{seen[digits]}")
    return hashes


def _rolling(text: str) -> Iterator[int]:
    """The hash of the window that starts with each line, as soon as the window is full."""
    window = deque([0] * _WINDOW, _WINDOW)
    starts = deque([False] * _WINDOW, _WINDOW)
    value = 0
    at_start = True
    for character in [*_characters(text), *[None] * _WINDOW]:
        if starts[0]:
            yield value
        starts.append(at_start and character is not None)
        at_start = character == 0x0A
        entering = character or 0
        value = (_BASE * value + entering - _LEAVING * window[0]) & _MASK
        window.append(entering)


def _characters(text: str) -> Iterator[int]:
    """UTF-16 code units without blanks, any line end as one line feed, and the end marker."""
    units = text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-16-le", "surrogatepass")
    for low, high in zip(units[::2], units[1::2], strict=True):
        unit = low | high << 8
        if unit not in (0x20, 0x09):
            yield unit
    yield _END
