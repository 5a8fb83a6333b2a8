"""Traces as .csv: a plain row of names, a row a sample; the header in `FILE.meta.json` beside it.

Numbers are as short as they can be and still read back exactly; what is NaN is left empty.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from phyzctl.errors import PhyzctlError
from phyzctl.native import LineFormatter
from phyzctl.trace.header import TraceHeader
from phyzctl.trace.trace import Array, Trace, column_names, side_by_side


class CsvSink:
    """Writes samples as they come."""

    def __init__(self, path: Path, header: TraceHeader, description: str) -> None:
        self._path, self._description = path, description
        self._names = [each.name for each in header.channels]
        names = column_names(header.channels)
        self._lines = LineFormatter(["", *[","] * (len(names) - 1), "\n"], ("", "inf", "-inf"))
        self._stream = path.open("wb")
        with io.StringIO(newline="") as first:
            csv.writer(first, lineterminator="\n").writerow(names)
            self._stream.write(first.getvalue().encode())

    def add(self, times: Array, values: Mapping[str, Array]) -> None:
        """Write samples."""
        self._stream.write(self._lines.format(side_by_side(times, values, self._names)))

    def close(self, header: TraceHeader) -> None:
        """Write the header beside the table."""
        self._stream.close()
        document = header.to_json() | {"description": self._description}
        text = json.dumps(document, indent=2) + "\n"
        _meta(self._path).write_text(text, encoding="utf-8", newline="\n")


def open_sink(path: Path, header: TraceHeader, description: str) -> CsvSink:
    """Begin both files."""
    return CsvSink(path, header, description)


def read(path: Path) -> Trace:
    """Read both files."""
    document = _document(_meta(path))
    header = TraceHeader.from_json(document)
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            rows = csv.reader(stream)
            names = next(rows, [])
            table = _table(rows, len(names))
    except (ValueError, csv.Error) as error:
        raise PhyzctlError(f"this is no trace: {error}") from error
    values, at = {}, 1
    for each in header.channels:
        values[each.name] = table[:, at : at + len(each.columns)]
        at += len(each.columns)
    if at != len(names):
        raise PhyzctlError(f"the table has {len(names)} columns, its header says {at}")
    return Trace(header, table[:, 0], values, str(document.get("description", "")))


def _document(meta: Path) -> dict[str, object]:
    if not meta.exists():
        raise PhyzctlError(f"its header {meta.name!r} is not beside it")
    try:
        document = json.loads(meta.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise PhyzctlError(f"its header {meta.name!r} is no JSON: {error}") from error
    return document if isinstance(document, dict) else {}


def _table(rows: Iterable[list[str]], width: int) -> Array:
    numbers = [[float(cell) if cell else np.nan for cell in row] for row in rows]
    return np.array(numbers, dtype=np.float64).reshape(-1, max(width, 1))


def _meta(path: Path) -> Path:
    return path.with_name(f"{path.name}.meta.json")
