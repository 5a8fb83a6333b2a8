"""Trace files by suffix."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol, cast

import numpy as np

from phyzctl.errors import NotFoundError, PhyzctlError, UnreadableError
from phyzctl.trace.header import TraceHeader
from phyzctl.trace.trace import Array, Trace

SUFFIXES = (".mcap", ".npz", ".csv", ".jsonl", ".parquet")

PathLike = str | os.PathLike[str]


class Sink(Protocol):
    """A file that samples go into."""

    def add(self, times: Array, values: Mapping[str, Array]) -> None:
        """Take a block of samples."""

    def close(self, header: TraceHeader) -> None:
        """Write the header as it has become, and the end."""


class TraceFormat(Protocol):
    """What the module of a format offers."""

    def open_sink(self, path: Path, header: TraceHeader, description: str) -> Sink:
        """Begin a file with samples of the header's channels, `header.steps` of them at most."""

    def read(self, path: Path) -> Trace:
        """Read the file."""


def write_trace(trace: Trace, path: PathLike) -> None:
    """Write a trace in the format of the path's suffix; `PhyzctlError` when that can't be."""
    target = Path(path)
    writer = format_of(target)
    try:
        sink = writer.open_sink(target, trace.header, trace.description)
        sink.add(trace.times, trace.values)
        sink.close(trace.header)
    except OSError as error:
        raise PhyzctlError(f"can't write {str(path)!r}: {error.strerror or error}") from error


def read_trace(path: PathLike) -> Trace:
    """The trace in a file.

    `NotFoundError` and `UnreadableError` for the file, `PhyzctlError` when it is no trace of ours.
    """
    source = Path(path)
    reader = format_of(source)
    if not source.exists():
        raise NotFoundError(f"there is no trace {str(path)!r}")
    if not source.is_file():  # a device would be read without end
        raise UnreadableError(f"{path}: is not a file")
    try:
        trace = reader.read(source)
    except OSError as error:
        raise UnreadableError(f"{path}: {error.strerror or error}") from error
    except PhyzctlError as error:
        raise PhyzctlError(f"{path}: {error}") from error
    if not np.isfinite(trace.times).all():
        raise PhyzctlError(f"{path}: a time of this trace is not finite")
    return trace


def format_of(path: Path) -> TraceFormat:
    """The module that knows a path's suffix; it is imported when it is needed."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise PhyzctlError(
            f"can't tell the trace format of {path.name!r}; the suffixes are {', '.join(SUFFIXES)}"
        )
    module = importlib.import_module(f"phyzctl.trace.{suffix.removeprefix('.')}")
    return cast("TraceFormat", module)
