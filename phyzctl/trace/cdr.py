"""CDR, the encoding of ROS 2 messages: little-endian, every number aligned to its size."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from phyzctl.records import dataclass

_HEAD = b"\x00\x01\x00\x00"  # little-endian, no options; offsets count from behind it

Doubles = NDArray[np.float64]


@dataclass(frozen=True)
class Slot:
    """A hole in a message at an `offset`: `count` doubles, or a time."""

    offset: int
    count: int
    is_time: bool = False


class Message:
    """Builds one message, field by field; slots are filled in for many messages at once."""

    def __init__(self) -> None:
        self._data = bytearray()
        self.slots: list[Slot] = []

    def uint32(self, value: int) -> Message:
        """Append an unsigned integer, which is also how a sequence states its length."""
        self._align(4)
        self._data += struct.pack("<I", value)
        return self

    def string(self, text: str) -> Message:
        """Append a string."""
        data = text.encode() + b"\0"
        self.uint32(len(data))
        self._data += data
        return self

    def doubles(self, values: Sequence[float]) -> Message:
        """Append doubles, one after the other."""
        self._align(8)
        self._data += struct.pack(f"<{len(values)}d", *values)
        return self

    def time(self, nanoseconds: int) -> Message:
        """Append a time."""
        return self.uint32(nanoseconds // 10**9).uint32(nanoseconds % 10**9)

    def time_slot(self) -> Message:
        """Leave room for a time."""
        self._align(4)
        self.slots.append(Slot(len(_HEAD) + len(self._data), 0, is_time=True))
        return self.time(0)

    def doubles_slot(self, count: int) -> Message:
        """Leave room for doubles; those of no length take no alignment either."""
        if count:
            self._align(8)
        self.slots.append(Slot(len(_HEAD) + len(self._data), count))
        self._data += bytes(8 * count)
        return self

    def data(self) -> bytes:
        """The message."""
        return _HEAD + bytes(self._data)

    def _align(self, size: int) -> None:
        self._data += bytes(-len(self._data) % size)


def read_doubles(data: bytes, count: int, offset: int = len(_HEAD)) -> Doubles:
    """The doubles that stand in a message from a byte on, by default in one of doubles alone."""
    return np.frombuffer(data, "<f8", count, offset)
