"""The door to what traces are made of: samples as rows of bytes, and as lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from phyzctl.native import _kernel
from phyzctl.native.checks import FLOAT64, check

if TYPE_CHECKING:
    from numpy.typing import NDArray

_INT64, _UINT8 = np.dtype(np.int64), np.dtype(np.uint8)


class Holes(NamedTuple):
    """Where a row of bytes has holes, as offsets; all that goes into them is little-endian."""

    numbers: Sequence[tuple[int, int, int]] = ()
    """An offset, the first column, and how many doubles from there on."""
    stamps: Sequence[int] = ()
    """8 bytes: when the sample was taken [ns]."""
    times: Sequence[int] = ()
    """Twice 4 bytes: the same in seconds and nanoseconds."""
    counters: Sequence[int] = ()
    """4 bytes: the number of the sample."""


class RowEncoder:
    """Writes samples of `width` numbers as rows of bytes, each alike but for what is in `holes`."""

    __slots__ = ("_holes", "_row", "_width")

    def __init__(self, row: bytes, holes: Holes, width: int) -> None:
        """Raises ValueError for a hole beyond the row's end, or a column that isn't there."""
        self._row, self._width = np.frombuffer(row, np.uint8), width
        numbers = np.array(holes.numbers, np.int64).reshape(-1, 3)
        stamps, times, counters = (np.array(each, np.int64) for each in holes[1:])
        self._holes = (numbers, stamps, times, counters)
        sizes: tuple[NDArray[np.int64] | int, ...] = (8 * numbers[:, 2], 8, 8, 4)
        for at, size in zip((numbers[:, 0], stamps, times, counters), sizes, strict=True):
            if not ((at >= 0) & (at + size <= len(row))).all():
                raise ValueError(f"a hole is not in the row of {len(row)} bytes")
        first, end = numbers[:, 1], numbers[:, 1] + numbers[:, 2]
        if not ((first >= 0) & (first <= end) & (end <= width)).all():
            raise ValueError(f"a hole asks for a column that is none of the {width} of a sample")

    @property
    def size(self) -> int:
        """Bytes a row."""
        return len(self._row)

    def encode(
        self,
        samples: NDArray[np.float64],
        stamps: NDArray[np.int64],
        first: int,
        into: NDArray[np.uint8],
    ) -> None:
        """Fill rows `into` (n, size) with `samples` (n, width) taken at `stamps` (n,) [ns].

        They are counted from `first`.

        Raises:
            ValueError: wrong type, shape or layout.
        """
        check("samples", samples, FLOAT64, (None, self._width))
        check("stamps", stamps, _INT64, (len(samples),))
        check("into", into, _UINT8, (len(samples), self.size))
        _kernel.encode_rows(self._row, *self._holes, first % 2**32, stamps, samples, into)


class LineFormatter:
    """Writes samples as lines of text, with numbers that read back exactly."""

    __slots__ = ("_given", "_room", "_width")

    def __init__(self, texts: Sequence[str], words: tuple[str, str, str]) -> None:
        """`texts` stand before each number and behind the last; `words` are NaN, inf and -inf."""
        encoded = [text.encode() for text in texts]
        self._width = len(texts) - 1
        self._given = (
            np.frombuffer(b"".join(encoded), np.uint8),
            np.cumsum([len(text) for text in encoded], dtype=np.int64),
            np.frombuffer("".join(f"{word}\0" for word in words).encode(), np.uint8),
        )
        self._room = _kernel.line_room(*self._given)

    def format(self, samples: NDArray[np.float64]) -> memoryview:
        """The lines of `samples` (n, width), one after the other.

        Raises:
            ValueError: wrong type, shape or layout.
        """
        check("samples", samples, FLOAT64, (None, self._width))
        buffer = np.empty(len(samples) * self._room, np.uint8)
        return buffer[: _kernel.format_lines(*self._given, samples, buffer)].data
