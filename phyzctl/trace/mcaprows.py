"""Samples as rows of bytes: a sample's messages, records and all, are as long as any other's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from phyzctl.trace.mcapfile import MESSAGE_HEAD, Entries, message_record
from phyzctl.trace.mcaplayout import Layout, Values

Bytes = NDArray[np.uint8]
Stamps = NDArray[np.int64]

_SEQUENCE, _TIMES = 11, 15  # places in the head of a record


class Rows:
    """Encodes samples as messages on the topics of some layouts, one message each."""

    def __init__(self, layouts: Sequence[tuple[int, Layout]]) -> None:
        """Each layout comes with the number of its topic."""
        self._layouts = layouts
        self._starts: list[int] = []
        template = bytearray()
        for channel, layout in layouts:
            self._starts.append(len(template))
            template += message_record(channel, layout.message.data())
        self._template = np.frombuffer(bytes(template), np.uint8)

    @property
    def size(self) -> int:
        """Bytes a sample."""
        return len(self._template)

    def encode(self, stamps: Stamps, values: Values, first: int) -> Bytes:
        """The samples at `stamps` [ns], (n, size); `first` is the number of the first."""
        rows: Bytes = np.empty((len(stamps), self.size), np.uint8)
        rows[:] = self._template
        numbers = np.arange(first, first + len(stamps)).astype("<u4")
        times = np.stack([stamps, stamps], axis=1).astype("<u8")
        clock = np.stack(np.divmod(stamps, 10**9), axis=1).astype("<u4")
        for start, (_, layout) in zip(self._starts, self._layouts, strict=True):
            _put(rows, start + _SEQUENCE, numbers)
            _put(rows, start + _TIMES, times)
            fills = iter(layout.fills)
            for slot in layout.message.slots:
                at = start + MESSAGE_HEAD.size + slot.offset
                if slot.is_time:
                    _put(rows, at, clock)
                elif slot.count:
                    _put(rows, at, next(fills)(values).astype("<f8"))
        return rows

    def entries(self, stamps: Stamps, at: int) -> dict[int, Entries]:
        """Where each topic's messages stand when the rows start at a byte of a chunk."""
        places = at + self.size * np.arange(len(stamps), dtype=np.int64)
        return {
            channel: Entries(stamps, places + start)
            for start, (channel, _) in zip(self._starts, self._layouts, strict=True)
        }


def _put(rows: Bytes, offset: int, numbers: NDArray[np.generic]) -> None:
    data = np.ascontiguousarray(numbers).view(np.uint8).reshape(len(rows), -1)
    rows[:, offset : offset + data.shape[1]] = data
