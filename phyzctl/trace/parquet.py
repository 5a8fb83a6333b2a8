"""Traces as .parquet: a column a number of a sample; the header as JSON in the schema's metadata.

It needs the package pyarrow, which is imported when it is used.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from phyzctl.errors import PhyzctlError
from phyzctl.trace.header import TraceHeader
from phyzctl.trace.trace import Array, Trace, column_names, side_by_side

try:
    import pyarrow as pa
    from pyarrow import parquet
except ImportError as error:
    raise PhyzctlError(
        "traces as .parquet need an extra: pip install 'phyzctl[parquet]'"
    ) from error

_HEADER, _DESCRIPTION = b"phyzctl.run", b"phyzctl.description"
_GROUP = 1 << 16  # samples that are compressed together
# Doubles that vary shrink best byte by byte; dictionaries of them only cost time.
_OPTIONS = {
    "compression": "zstd",
    "use_dictionary": False,
    "use_byte_stream_split": True,
    "write_statistics": False,
}


class ParquetSink:
    """Writes groups of samples as they come."""

    def __init__(self, path: Path, header: TraceHeader, description: str) -> None:
        self._names = [each.name for each in header.channels]
        self._description = description
        fields = [(name, pa.float64()) for name in column_names(header.channels)]
        self._schema = pa.schema(fields)
        self._writer = parquet.ParquetWriter(str(path), self._schema, **_OPTIONS)
        self._waiting: list[Array] = []

    def add(self, times: Array, values: Mapping[str, Array]) -> None:
        """Take samples; what fills no group waits for more."""
        self._waiting.append(side_by_side(times, values, self._names))
        while sum(map(len, self._waiting)) >= _GROUP:
            table = np.concatenate(self._waiting)
            self._write(table[:_GROUP])
            self._waiting = [table[_GROUP:]]

    def close(self, header: TraceHeader) -> None:
        """Write what waits, and the header."""
        if self._waiting:
            self._write(np.concatenate(self._waiting))
        said = {_HEADER: json.dumps(header.to_json()).encode()}
        said[_DESCRIPTION] = self._description.encode()
        self._writer.add_key_value_metadata(said)
        self._writer.close()

    def _write(self, table: Array) -> None:
        if len(table):
            columns = [pa.array(np.ascontiguousarray(column)) for column in table.T]
            self._writer.write_table(pa.Table.from_arrays(columns, schema=self._schema))


def open_sink(path: Path, header: TraceHeader, description: str) -> ParquetSink:
    """Begin the file."""
    return ParquetSink(path, header, description)


def read(path: Path) -> Trace:
    """Read the file."""
    try:
        with parquet.ParquetFile(str(path)) as file:
            table, metadata = file.read(), file.metadata.metadata or {}
        header = TraceHeader.from_json(json.loads(metadata.get(_HEADER, b"null")))
        numbers = np.stack([_column(table, name) for name in column_names(header.channels)], axis=1)
    except (pa.ArrowException, KeyError, ValueError, TypeError, RecursionError) as error:
        raise PhyzctlError(f"this is no trace: {error}") from error
    values, at = {}, 1
    for each in header.channels:
        values[each.name] = np.ascontiguousarray(numbers[:, at : at + len(each.columns)])
        at += len(each.columns)
    description = metadata.get(_DESCRIPTION, b"").decode("utf-8", "replace")
    return Trace(header, np.ascontiguousarray(numbers[:, 0]), values, description)


def _column(table: Any, name: str) -> Array:
    return np.asarray(table.column(name).to_numpy(), np.float64)
