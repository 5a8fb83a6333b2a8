"""Traces as .npz: an array a channel, `time`, and the header as JSON in `header`."""

from __future__ import annotations

import io
import json
import math
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from phyzctl.errors import PhyzctlError, shortened
from phyzctl.trace.header import TraceHeader
from phyzctl.trace.storedzip import Member, StoredZip
from phyzctl.trace.trace import Array, Trace

# What numpy and zipfile raise on damaged files; RuntimeError is "encrypted" and "not supported".
# What a damaged archive, or an array in it that isn't what it says, makes of reading it.
DAMAGE = (
    *(LookupError, ValueError, EOFError, MemoryError, RuntimeError, TypeError, struct.error),
    *(zipfile.BadZipFile, zlib.error),
)
_GREAT = 1 << 28
_HEADER, _TIME, _DESCRIPTION = "header", "time", "description"
_HEAD = 128  # bytes before the numbers of an array


class NpzSink:
    """Writes every array to its place in the file, whose size follows from the header's `steps`."""

    def __init__(self, path: Path, header: TraceHeader, description: str) -> None:
        self._archive = StoredZip(path)
        self._description = description
        self._rows, self._count = header.steps, 0
        widths = {each.name: (len(each.columns),) for each in header.channels}
        self._shapes: dict[str, tuple[int, ...]] = {_TIME: (), **widths}
        self._members: dict[str, Member] = {}
        for name, width in self._shapes.items():
            room = _HEAD + 8 * self._rows * math.prod(width)
            member = self._members[name] = self._archive.member(f"{name}.npy", room)
            self._archive.append(member, _head((self._rows, *width)))

    def add(self, times: Array, values: Mapping[str, Array]) -> None:
        """Write samples."""
        self._count += len(times)
        for name, member in self._members.items():
            rows = times if name == _TIME else values[name]
            self._archive.append(member, np.ascontiguousarray(rows, "<f8").data)

    def close(self, header: TraceHeader) -> None:
        """Write the header and the end."""
        if self._count != self._rows:
            for name, member in self._members.items():
                self._archive.begin_with(member, _head((self._count, *self._shapes[name])))
        texts = {_HEADER: json.dumps(header.to_json()), _DESCRIPTION: self._description}
        for name, text in texts.items():
            with io.BytesIO() as buffer:
                np.save(buffer, np.array(text), allow_pickle=False)
                data = buffer.getvalue()
            self._archive.append(self._archive.member(f"{name}.npy", len(data)), data)
        self._archive.close()


def _head(shape: tuple[int, ...]) -> bytes:
    """What stands before the numbers of an array, as long for any shape."""
    layout = str({"descr": "<f8", "fortran_order": False, "shape": shape})
    text = layout.ljust(_HEAD - 11) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


def open_sink(path: Path, header: TraceHeader, description: str) -> NpzSink:
    """Begin the file."""
    return NpzSink(path, header, description)


def refuse_bomb(path: Path) -> None:
    """Raise ValueError for an archive that would grow more than a hundredfold, to a great size.

    Raises OSError and `zipfile.BadZipFile`, too.
    """
    with zipfile.ZipFile(path) as archive:
        packed = sum(each.compress_size for each in archive.infolist())
        size = sum(each.file_size for each in archive.infolist())
    if size > _GREAT and size > 100 * packed:
        raise ValueError(f"{packed} bytes would grow to {size}")


def read(path: Path) -> Trace:
    """Read the file."""
    try:
        refuse_bomb(path)
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            header = TraceHeader.from_json(json.loads(str(arrays[_HEADER])))
            values = {each.name: arrays[each.name] for each in header.channels}
            return Trace(header, arrays[_TIME], values, str(arrays[_DESCRIPTION]))
    except DAMAGE as error:
        raise PhyzctlError(f"this is no trace: {shortened(str(error))}") from error
