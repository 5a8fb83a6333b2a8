"""CDR, the encoding of ROS 2 messages: little-endian, every number aligned to its size."""

from __future__ import annotations

import struct
from collections.abc import Sequence

_HEAD = b"\x00\x01\x00\x00"  # little-endian, no options; offsets count from behind it


class Message:
    """Builds one message, field by field."""

    def __init__(self) -> None:
        self._data = bytearray()

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

    def data(self) -> bytes:
        """The message."""
        return _HEAD + bytes(self._data)

    def _align(self, size: int) -> None:
        self._data += bytes(-len(self._data) % size)


def read_doubles(data: bytes, count: int) -> tuple[float, ...]:
    """The numbers of a message that consists of doubles alone."""
    return struct.unpack_from(f"<{count}d", data, len(_HEAD))
