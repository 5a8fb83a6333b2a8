"""Traces as .npz: an array a channel, `time`, and the header as JSON in `header`."""

from __future__ import annotations

import io
import json
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import IO

import numpy as np

from phyzctl.errors import PhyzctlError
from phyzctl.trace.header import TraceHeader
from phyzctl.trace.trace import Array, Trace

# What numpy and zipfile raise on damaged files; RuntimeError is "encrypted" and "not supported".
_DAMAGE = (LookupError, ValueError, EOFError, MemoryError, RuntimeError)
_GREAT = 1 << 28
_HEADER, _TIME, _DESCRIPTION = "header", "time", "description"
_IN_MEMORY = 1 << 25  # bytes of a channel; more wait on disk until their number is known
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the same run makes the same bytes


class NpzSink:
    """Keeps the arrays aside until their lengths, which stand before them, are known."""

    def __init__(self, path: Path, header: TraceHeader, description: str) -> None:
        self._stream = path.open("wb")
        self._description = description
        self._widths = {each.name: len(each.columns) for each in header.channels}
        self._count = 0
        names = (_TIME, *self._widths)
        self._aside: dict[str, IO[bytes]] = {
            name: tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - until `close`
            for name in names
        }

    def add(self, times: Array, values: Mapping[str, Array]) -> None:
        """Take samples."""
        self._count += len(times)
        self._aside[_TIME].write(_bytes(times))
        for name in self._widths:
            self._aside[name].write(_bytes(values[name]))

    def close(self, header: TraceHeader) -> None:
        """Write the file, uncompressed: numbers that vary barely shrink."""
        with zipfile.ZipFile(self._stream, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
            _save(archive, _HEADER, np.array(json.dumps(header.to_json())))
            _save(archive, _DESCRIPTION, np.array(self._description))
            for name, aside in self._aside.items():
                with _member(archive, name) as member:
                    width = () if name == _TIME else (self._widths[name],)
                    shape = (self._count, *width)
                    layout = {"descr": "<f8", "fortran_order": False, "shape": shape}
                    np.lib.format.write_array_header_1_0(member, layout)
                    aside.seek(0)
                    shutil.copyfileobj(aside, member, 1 << 20)
                aside.close()
        self._stream.close()


def _bytes(numbers: Array) -> bytes:
    return np.ascontiguousarray(numbers, dtype="<f8").tobytes()


def _member(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    return archive.open(zipfile.ZipInfo(f"{name}.npy", _EPOCH), "w", force_zip64=True)


def _save(archive: zipfile.ZipFile, name: str, array: np.ndarray[tuple[()], np.dtype]) -> None:
    with io.BytesIO() as buffer, _member(archive, name) as member:
        np.save(buffer, array, allow_pickle=False)
        member.write(buffer.getvalue())


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
    except (*_DAMAGE, zipfile.BadZipFile, zlib.error) as error:
        raise PhyzctlError(f"this is no trace: {error}") from error
