"""Traces as .npz: an array a channel, `time`, and the header as JSON in `header`."""

from __future__ import annotations

import json
import zipfile
import zlib
from pathlib import Path

import numpy as np

from phyzctl.errors import PhyzctlError
from phyzctl.trace.header import TraceHeader
from phyzctl.trace.trace import Trace

# What numpy and zipfile raise on damaged files; RuntimeError is "encrypted" and "not supported".
_DAMAGE = (LookupError, ValueError, EOFError, MemoryError, RuntimeError)
_HEADER, _TIME, _DESCRIPTION = "header", "time", "description"


def write(trace: Trace, path: Path) -> None:
    """Write the file, uncompressed: numbers that vary barely shrink."""
    header = np.array(json.dumps(trace.header.to_json()))
    with path.open("wb") as stream:
        np.savez(
            stream,
            allow_pickle=False,
            **{_HEADER: header, _DESCRIPTION: np.array(trace.description)},
            **{_TIME: trace.times, **{f"{name}": each for name, each in trace.values.items()}},
        )


def read(path: Path) -> Trace:
    """Read the file."""
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            header = TraceHeader.from_json(json.loads(str(arrays[_HEADER])))
            values = {each.name: arrays[each.name] for each in header.channels}
            return Trace(header, arrays[_TIME], values, str(arrays[_DESCRIPTION]))
    except (*_DAMAGE, zipfile.BadZipFile, zlib.error) as error:
        raise PhyzctlError(f"this is no trace: {error}") from error
