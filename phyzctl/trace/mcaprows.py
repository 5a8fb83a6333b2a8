"""Samples as rows of bytes: a sample's messages, records and all, are as long as any other's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from phyzctl.native import Holes, RowEncoder
from phyzctl.trace.cdr import Doubles
from phyzctl.trace.mcapfile import MESSAGE_HEAD, Messages, message_record
from phyzctl.trace.mcaplayout import Layout

Stamps = NDArray[np.int64]

_SEQUENCE, _TIMES = 11, (15, 23)  # places in the head of a record


class Rows:
    """Gathers samples as messages on the topics of some layouts, one message each, for a chunk."""

    def __init__(self, layouts: Sequence[tuple[int, Layout]], width: int, limit: int) -> None:
        """Each layout comes with the number of its topic; `width` is that of the table.

        A chunk has `limit` bytes at most, but at least one sample.
        """
        self._channels = [channel for channel, _ in layouts]
        self._starts: list[int] = []
        row = bytearray()
        numbers: list[tuple[int, int, int]] = []
        times: list[int] = []
        for channel, layout in layouts:
            self._starts.append(len(row))
            at = len(row) + MESSAGE_HEAD.size
            slots = layout.message.slots
            times += [at + slot.offset for slot in slots if slot.is_time]
            places = [at + slot.offset for slot in slots if not slot.is_time]
            for place, columns in zip(places, layout.columns, strict=True):
                numbers += _runs(place, columns)
            row += message_record(channel, layout.message.data())
        stamps = [start + place for start in self._starts for place in _TIMES]
        counters = [start + _SEQUENCE for start in self._starts]
        self._encoder = RowEncoder(bytes(row), Holes(numbers, stamps, times, counters), width)
        room = max(1, limit // max(1, len(row)))
        self._data = np.empty((room, len(row)), np.uint8)
        self._stamps = np.empty(room, np.int64)
        self._count = 0

    def take(self, table: Doubles, stamps: Stamps, first: int) -> int:
        """Take samples at `stamps` [ns], `first` the number of the first; how many found room."""
        count = min(len(self._data) - self._count, len(table))
        place = slice(self._count, self._count + count)
        self._stamps[place] = stamps[:count]
        self._encoder.encode(table[:count], self._stamps[place], first, self._data[place])
        self._count += count
        return count

    @property
    def full(self) -> bool:
        """True when no sample finds room any more."""
        return self._count == len(self._data)

    def messages(self) -> Messages | None:
        """What was gathered, good until more is taken; None if that is nothing."""
        count, self._count = self._count, 0
        if not count:
            return None
        return Messages(self._data[:count], self._channels, self._starts, self._stamps[:count])


def _runs(place: int, columns: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Columns that follow each other, as a place, the first of them, and their number."""
    start = 0
    for index in range(1, len(columns) + 1):
        if index == len(columns) or columns[index] != columns[index - 1] + 1:
            yield place + 8 * start, columns[start], index - start
            start = index
