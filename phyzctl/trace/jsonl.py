"""Traces as .jsonl: the header is the first line, each sample one more; NaN is null."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from phyzctl.errors import PhyzctlError
from phyzctl.native import LineFormatter
from phyzctl.trace.header import TraceHeader
from phyzctl.trace.trace import Array, Trace, side_by_side

_SPARE = 1 << 10  # bytes by which a header may grow while the run goes on
_WORDS = ("null", "Infinity", "-Infinity")


class JsonlSink:
    """Writes samples as they come, behind room for the header, which is only known at the end."""

    def __init__(self, path: Path, header: TraceHeader, description: str) -> None:
        self._stream = path.open("w+b")
        self._names = [each.name for each in header.channels]
        self._description = description
        self._lines = LineFormatter(list(_texts(header)), _WORDS)
        self._room = len(self._first(header)) + _SPARE
        self._stream.write(bytes(self._room))

    def add(self, times: Array, values: Mapping[str, Array]) -> None:
        """Write samples."""
        self._stream.write(self._lines.format(side_by_side(times, values, self._names)))

    def close(self, header: TraceHeader) -> None:
        """Write the header, with blanks behind it, or where it is too long the whole file again."""
        first, samples = self._first(header), b""
        if len(first) > self._room:
            self._stream.seek(self._room)
            samples = self._stream.read()
        self._stream.seek(0)
        self._stream.write(first.ljust(self._room - 1) + b"\n" + samples)
        self._stream.close()

    def _first(self, header: TraceHeader) -> bytes:
        return json.dumps(header.to_json() | {"description": self._description}).encode()


def _texts(header: TraceHeader) -> Iterator[str]:
    """What stands before each number of a line, and behind the last."""
    yield '{"time":'
    text = ""
    for channel in header.channels:
        text += f",{json.dumps(channel.name)}:["
        for _ in channel.columns:
            yield text
            text = ","
        text = text.removesuffix(",") + "]"
    yield text + "}\n"


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
