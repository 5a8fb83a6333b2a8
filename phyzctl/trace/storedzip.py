"""A ZIP whose members grow side by side, each in room of its own, without compression.

The layout is that of APPNOTE.TXT 6.3: sizes of members are of 64 bits, as `numpy.savez` has them.
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import IO

from phyzctl.records import dataclass

Bytes = bytes | memoryview

_LOCAL, _LOCAL_SIZES = struct.Struct("<I5H3I2H"), struct.Struct("<2H2Q")
_ENTRY, _ENTRY_SIZES = struct.Struct("<I6H3I5H2I"), struct.Struct("<2H3Q")
_END = struct.Struct("<I4H2IH")
_END_64, _LOCATOR = struct.Struct("<IQ2H2I4Q"), struct.Struct("<I2QI")
_VERSION = 45  # the first with sizes of 64 bits
_EPOCH = 0x21  # 1980-01-01: the same run makes the same bytes
_ABOVE, _SIZES = 0xFFFFFFFF, 1  # what is above stands in an extra field of that number
_PART = 1 << 20


@dataclass
class Member:
    """A file in the archive: `at` is where its header is, `room` how long it may become."""

    name: bytes
    at: int
    room: int
    size: int = 0
    crc: int = 0

    @property
    def data(self) -> int:
        """Where its first byte is."""
        return self.at + _LOCAL.size + len(self.name) + _LOCAL_SIZES.size

    def head(self) -> bytes:
        """What stands before it."""
        known = (0x04034B50, _VERSION, 0, 0, 0, _EPOCH, self.crc, _ABOVE, _ABOVE)
        sizes = _LOCAL_SIZES.pack(_SIZES, 16, self.size, self.size)
        return _LOCAL.pack(*known, len(self.name), len(sizes)) + self.name + sizes

    def entry(self) -> bytes:
        """Its line in the directory."""
        size, at, extra = self.size, self.at, b""
        if max(size, at) >= _ABOVE:
            extra, size, at = _ENTRY_SIZES.pack(_SIZES, 24, size, size, at), _ABOVE, _ABOVE
        known = (0x02014B50, _VERSION, _VERSION, 0, 0, 0, _EPOCH, self.crc, size, size)
        rest = (len(self.name), len(extra), 0, 0, 0, 0, at)
        return _ENTRY.pack(*known, *rest) + self.name + extra


class StoredZip:
    """Writes one archive."""

    def __init__(self, path: Path) -> None:
        self._stream: IO[bytes] = path.open("w+b", buffering=0)
        self._members: list[Member] = []
        self._end = 0

    def member(self, name: str, room: int) -> Member:
        """A new file of up to `room` bytes."""
        made = Member(name.encode(), self._end, room)
        self._members.append(made)
        self._end = made.data + room
        return made

    def append(self, member: Member, data: Bytes) -> None:
        """Write the next bytes of a file. Raises ValueError for more than there is room for."""
        size = memoryview(data).nbytes
        if member.size + size > member.room:
            raise ValueError(f"there is room for {member.room} bytes")
        if not size:
            return
        self._write(member.data + member.size, data)
        member.crc = zlib.crc32(data, member.crc)
        member.size += size

    def begin_with(self, member: Member, data: Bytes) -> None:
        """Put other bytes in the place of a file's first ones."""
        self._write(member.data, data)
        self._settle(member, member.at)

    def close(self) -> None:
        """Take room back that was not used, and write the end."""
        at = 0
        for member in self._members:
            if member.at != at:
                self._settle(member, at)
            at = member.data + member.size
        for member in self._members:
            self._write(member.at, member.head())
        self._write(at, self._directory(at))
        self._stream.truncate()
        self._stream.close()

    def _settle(self, member: Member, at: int) -> None:
        """Move a file down, and sum it up again."""
        start = member.data
        member.at, member.crc = at, 0
        for offset in range(0, member.size, _PART):
            self._stream.seek(start + offset)
            part = self._stream.read(min(_PART, member.size - offset))
            member.crc = zlib.crc32(part, member.crc)
            self._write(member.data + offset, part)

    def _directory(self, at: int) -> bytes:
        entries = b"".join(each.entry() for each in self._members)
        count, end = len(self._members), at + len(entries)
        great = b""
        if at >= _ABOVE:
            numbers = (44, _VERSION, _VERSION, 0, 0, count, count, len(entries), at)
            great = _END_64.pack(0x06064B50, *numbers) + _LOCATOR.pack(0x07064B50, 0, end, 1)
        last = _END.pack(0x06054B50, 0, 0, count, count, len(entries), min(at, _ABOVE), 0)
        return entries + great + last

    def _write(self, at: int, data: Bytes) -> None:
        self._stream.seek(at)
        rest = memoryview(data).cast("B")
        while rest:  # a stream without buffer may write less than it is given
            rest = rest[self._stream.write(rest) :]
