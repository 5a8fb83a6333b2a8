"""Traces as .jsonl: the header is the first line, each sample one more; NaN is null."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import numpy as np

from phyzctl.errors import PhyzctlError
from phyzctl.trace.header import TraceHeader
from phyzctl.trace.trace import Array, Trace

_IN_MEMORY = 1 << 25  # bytes of samples; more wait on disk for their header


class JsonlSink:
    """Keeps samples aside until the header, which stands before them, is known."""

    def __init__(self, path: Path, header: TraceHeader, description: str) -> None:
        self._stream = path.open("w", encoding="utf-8", newline="\n")
        self._names = [each.name for each in header.channels]
        self._description = description
        self._aside = tempfile.SpooledTemporaryFile(  # noqa: SIM115 - open until `close`
            _IN_MEMORY, "w+", encoding="utf-8", newline="\n"
        )

    def add(self, times: Array, values: Mapping[str, Array]) -> None:
        """Take samples."""
        columns = [_plain(values[name]) for name in self._names]
        for index, time in enumerate(times.tolist()):
            record = {"time": time}
            record |= {name: each[index] for name, each in zip(self._names, columns, strict=True)}
            self._aside.write(json.dumps(record, separators=(",", ":")) + "\n")

    def close(self, header: TraceHeader) -> None:
        """Write the file."""
        first = header.to_json() | {"description": self._description}
        self._stream.write(json.dumps(first) + "\n")
        self._aside.seek(0)
        shutil.copyfileobj(self._aside, self._stream)
        self._aside.close()
        self._stream.close()


def _plain(numbers: Array) -> list[list[float | None]]:
    """The rows as JSON has them."""
    rows = cast("list[list[float | None]]", numbers.tolist())
    for row, column in zip(*np.nonzero(np.isnan(numbers)), strict=True):
        rows[row][column] = None
    return rows


def open_sink(path: Path, header: TraceHeader, description: str) -> JsonlSink:
    """Begin the file."""
    return JsonlSink(path, header, description)


def read(path: Path) -> Trace:
    """Read the file."""
    try:
        with path.open(encoding="utf-8") as stream:
            first = json.loads(next(stream, "null"))
            header = TraceHeader.from_json(first)
            records = [json.loads(line) for line in stream]
        values = {}
        for each in header.channels:
            samples = np.array([record[each.name] for record in records], dtype=np.float64)
            values[each.name] = samples.reshape(-1, len(each.columns))
        times = np.array([record["time"] for record in records], dtype=np.float64)
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise PhyzctlError(f"this is no trace: {error}") from error
    return Trace(header, times, values, str(first.get("description", "")))
