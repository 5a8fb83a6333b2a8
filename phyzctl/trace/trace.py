"""Trace: the samples of a run, channel by channel, under their header."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import field, replace

import numpy as np
from numpy.typing import NDArray

from phyzctl.errors import PhyzctlError
from phyzctl.records import dataclass
from phyzctl.trace.header import Channel, TraceHeader

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Trace:
    """`times` (n,) [s] and, for every channel of the header by name, an array (n, columns).

    NaN is what there was nothing to say about. `description` is the URDF of what moved, for
    viewers, or "".
    """

    header: TraceHeader
    times: Array
    values: Mapping[str, Array] = field(repr=False)
    description: str = field(default="", repr=False)

    def __len__(self) -> int:
        return len(self.times)

    def column_names(self) -> list[str]:
        """Such as `time`, `slider.x`: one name a number of a sample."""
        return column_names(self.header.channels)

    def digest(self) -> str:
        """SHA-256 over the state channels, as little-endian doubles, sample by sample."""
        found = Digest(self.header.channels)
        found.add(self.values)
        return found.hexdigest()

    def is_intact(self) -> bool:
        """True when the values are those that the header's digest was made of."""
        return self.header.digest == self.digest()


class Digest:
    """SHA-256 over the state channels of samples that come in blocks of any length."""

    def __init__(self, channels: Sequence[Channel]) -> None:
        self._names = [each.name for each in channels if each.state]
        self._width = sum(len(each.columns) for each in channels if each.state)
        self._hash = hashlib.sha256()
        self._table = np.empty((0, self._width), "<f8")

    def add(self, values: Mapping[str, Array]) -> None:
        """Take a block of samples."""
        if not self._names:
            return
        parts = [values[name] for name in self._names]
        if len(self._table) < len(parts[0]):
            self._table = np.empty((len(parts[0]), self._width), "<f8")
        table = self._table[: len(parts[0])]
        np.concatenate(parts, axis=1, out=table)
        self._hash.update(table.data)

    def hexdigest(self) -> str:
        """The digest of all that was taken."""
        return self._hash.hexdigest()


def side_by_side(times: Array, values: Mapping[str, Array], names: Sequence[str]) -> Array:
    """Samples as a table: the time, then the columns of these channels."""
    parts = [times[:, np.newaxis], *(values[name] for name in names)]
    return np.concatenate(parts, axis=1, dtype=np.float64)


def column_names(channels: Sequence[Channel]) -> list[str]:
    """Such as `time`, `slider.x`: one name a number of a sample."""
    return ["time", *(f"{each.name}.{column}" for each in channels for column in each.columns)]


def make_trace(
    header: TraceHeader, times: Array, values: Mapping[str, Array], *, description: str = ""
) -> Trace:
    """A Trace whose header knows its length and digest.

    `PhyzctlError` when an array's shape is not that of its channel.
    """
    count = len(times)
    for each in header.channels:
        _require_shape(each, values, count)
    arrays = {each.name: np.asarray(values[each.name], np.float64) for each in header.channels}
    plain = TraceHeader.from_json(header.to_json())  # as it will be read back from a file
    trace = Trace(plain, np.asarray(times, np.float64), arrays, description)
    return replace(trace, header=replace(plain, steps=count, digest=trace.digest()))


def _require_shape(channel: Channel, values: Mapping[str, Array], count: int) -> None:
    found = np.shape(values[channel.name]) if channel.name in values else None
    wanted = (count, len(channel.columns))
    if found != wanted:
        raise PhyzctlError(
            f"the channel {channel.name!r} must have the shape {wanted}, not {found}"
        )
