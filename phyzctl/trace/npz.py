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
        self._aside = {name: _Aside() for name in names}

    def add(self, times: Array, values: Mapping[str, Array]) -> None:
        """Take samples."""
        self._count += len(times)
        self._aside[_TIME].add(times)
        for name in self._widths:
            self._aside[name].add(values[name])

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
                    aside.pour(member)
        self._stream.close()


class _Aside:
    """Blocks of numbers that wait, on disk when they are many."""

    def __init__(self) -> None:
        self._blocks: list[Array] = []
        self._bytes = 0
        self._file: IO[bytes] | None = None

    def add(self, numbers: Array) -> None:
        """Take a block, which nobody changes any more."""
        self._blocks.append(np.ascontiguousarray(numbers, dtype="<f8"))
        self._bytes += numbers.nbytes
        if self._bytes > _IN_MEMORY:
            if self._file is None:
                self._file = tempfile.TemporaryFile()  # noqa: SIM115 - until `pour`
            self._write(self._file)

    def pour(self, stream: IO[bytes]) -> None:
        """Write all that waits, once."""
        if self._file is not None:
            self._file.seek(0)
            shutil.copyfileobj(self._file, stream, 1 << 20)
            self._file.close()
        self._write(stream)

    def _write(self, stream: IO[bytes]) -> None:
        for block in self._blocks:
            stream.write(block.tobytes())
        self._blocks, self._bytes = [], 0


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
