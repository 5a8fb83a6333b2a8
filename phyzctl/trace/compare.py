"""Where two traces part."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from phyzctl.records import dataclass
from phyzctl.trace.trace import Array, Trace


@dataclass(frozen=True)
class Parting:
    """A column in which two traces differ: at first where, and at most by how much."""

    channel: str
    column: str
    unit: str
    sample: int
    time: float
    values: tuple[float, float]
    largest: float


@dataclass(frozen=True)
class Comparison:
    """What is only in one of the traces, in words, and the columns that differ, earliest first."""

    structure: tuple[str, ...]
    partings: tuple[Parting, ...]

    @property
    def same(self) -> bool:
        """True when there is no difference."""
        return not self.structure and not self.partings


def compare(a: Trace, b: Trace, *, rtol: float = 0.0, atol: float = 0.0) -> Comparison:
    """The differences beyond `atol` + `rtol` · |b|, in the units of each column.

    Samples are compared in order, as far as both go. NaN equals itself.
    """
    partings = sorted(_partings(a, b, rtol, atol), key=lambda each: (each.sample, each.channel))
    return Comparison(tuple(_structure(a, b)), tuple(partings))


def _structure(a: Trace, b: Trace) -> Iterator[str]:
    mine, theirs = ({each.name: each for each in t.header.channels} for t in (a, b))
    for name in mine.keys() - theirs.keys():
        yield f"only the first has the channel {name!r}"
    for name in theirs.keys() - mine.keys():
        yield f"only the second has the channel {name!r}"
    for name in mine.keys() & theirs.keys():
        if mine[name].columns != theirs[name].columns:
            yield f"the channel {name!r} has other columns"
    if len(a) != len(b):
        yield f"the first has {len(a)} samples, the second {len(b)}"
    count = min(len(a), len(b))
    if not np.allclose(a.times[:count], b.times[:count], rtol=0.0, atol=1e-9):
        index = int(np.argmax(np.abs(a.times[:count] - b.times[:count]) > 1e-9))
        times = f"{a.times[index]:g} s in the first and {b.times[index]:g} s in the second"
        yield f"sample {index} is at {times}"


def _partings(a: Trace, b: Trace, rtol: float, atol: float) -> Iterator[Parting]:
    count = min(len(a), len(b))
    known = {each.name: each for each in b.header.channels}
    for channel in a.header.channels:
        if channel.name not in known or known[channel.name].columns != channel.columns:
            continue
        mine, theirs = a.values[channel.name][:count], b.values[channel.name][:count]
        away, differs = _differences(mine, theirs, rtol, atol)
        for column in np.flatnonzero(differs.any(axis=0)).tolist():
            sample = int(np.argmax(differs[:, column]))
            yield Parting(
                channel.name,
                channel.columns[column],
                channel.units[column],
                sample,
                float(a.times[sample]),
                (float(mine[sample, column]), float(theirs[sample, column])),
                float(np.fmax.reduce(away[:, column], initial=0.0)),
            )


def _differences(a: Array, b: Array, rtol: float, atol: float) -> tuple[Array, np.ndarray]:
    with np.errstate(all="ignore"):
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        away = np.where(same, 0.0, np.abs(a - b))
        return away, ~(same | (away <= atol + rtol * np.abs(b)))
