"""Traces as .jsonl: the header is the first line, each sample one more; NaN is null."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np

from phyzctl.errors import PhyzctlError
from phyzctl.trace.header import TraceHeader
from phyzctl.trace.trace import Trace


def write(trace: Trace, path: Path) -> None:
    """Write the file."""
    names = [each.name for each in trace.header.channels]
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        first = trace.header.to_json() | {"description": trace.description}
        stream.write(json.dumps(first) + "\n")
        for time, sample in trace.rows():
            record: dict[str, object] = {"time": time}
            record |= {
                name: [None if math.isnan(each) else each for each in numbers]
                for name, numbers in zip(names, sample, strict=True)
            }
            stream.write(json.dumps(record, separators=(",", ":")) + "\n")


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
    except (KeyError, TypeError, ValueError) as error:
        raise PhyzctlError(f"this is no trace: {error}") from error
    return Trace(header, times, values, str(first.get("description", "")))
