"""Traces as .csv: a plain row of names, a row a sample; the header in `FILE.meta.json` beside it.

Numbers are as short as they can be and still read back exactly; what is NaN is left empty.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from phyzctl.errors import PhyzctlError
from phyzctl.trace.header import TraceHeader
from phyzctl.trace.trace import Array, Trace


def write(trace: Trace, path: Path) -> None:
    """Write both files."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(trace.column_names())
        for time, sample in trace.rows():
            writer.writerow([time, *(_cell(each) for numbers in sample for each in numbers)])
    document = trace.header.to_json() | {"description": trace.description}
    _meta(path).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8", newline="\n")


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
    except ValueError as error:
        raise PhyzctlError(f"its header {meta.name!r} is no JSON: {error}") from error
    return document if isinstance(document, dict) else {}


def _table(rows: Iterable[list[str]], width: int) -> Array:
    numbers = [[float(cell) if cell else np.nan for cell in row] for row in rows]
    return np.array(numbers, dtype=np.float64).reshape(-1, max(width, 1))


def _meta(path: Path) -> Path:
    return path.with_name(f"{path.name}.meta.json")


def _cell(number: float) -> float | str:
    return "" if number != number else number  # noqa: PLR0124 - NaN is what differs from itself
