"""Traces as .mcap: ROS 2 messages in CDR, which Foxglove, Rerun, PlotJuggler and rosbag open.

The header is the metadata record `phyzctl.run`. Log time is the time of the run, from 0, in whole
nanoseconds.
"""

from __future__ import annotations

import itertools
import json
import struct
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np

import phyzctl
from phyzctl.errors import PhyzctlError
from phyzctl.trace.cdr import Message, read_doubles
from phyzctl.trace.header import Channel, TraceHeader
from phyzctl.trace.mcaplayout import (
    DESCRIPTION,
    JOINTS,
    STATIC,
    TRANSFORMS,
    TYPES,
    Table,
    joint_states,
    plain,
    static_transforms,
    transforms,
    type_of,
)
from phyzctl.trace.trace import Array, Trace

try:
    from mcap.exceptions import McapError
    from mcap.reader import make_reader
    from zstandard import ZstdError

    from phyzctl.trace.mcapfile import McapFile, Messages, message_record
    from phyzctl.trace.mcaprows import Rows
except ImportError as error:
    raise PhyzctlError("traces as .mcap need the package mcap: pip install mcap") from error

# What the reader raises on damaged files, besides its own and the compressor's errors.
_DAMAGE = (LookupError, OverflowError, ValueError, MemoryError, RecursionError, struct.error)
_METADATA = "phyzctl.run"
_CHUNK = 1 << 20  # bytes, about


class McapSink:
    """Writes samples as they come, a chunk after the other.

    Chunks are compressed where every step is a sample; that costs more time than the rest, and
    traces of fewer samples are small.
    """

    def __init__(self, path: Path, header: TraceHeader, description: str) -> None:
        self._stream = path.open("wb")
        every_step = header.options.get("every", 1) == 1
        self._file = McapFile(self._stream, f"phyzctl {phyzctl.__version__}", compress=every_step)
        self._count = 0
        self._table = Table(header.channels)
        self._plain = [
            (self._file.topic(f"/{each.name}", *type_of(each)), plain(each, self._table))
            for each in header.channels
            if not each.bodies
        ]
        if header.joints:
            self._plain.append((self._known(JOINTS), joint_states(header, self._table)))
        self._posed = [each for each in header.channels if each.body or each.bodies]
        self._transforms = self._known(TRANSFORMS) if self._posed else 0
        self._write_first(header, description)
        self._shown = (True,) * len(self._posed)
        self._rows = self._rows_of(self._shown)

    def add(self, times: Array, values: Mapping[str, Array]) -> None:
        """Take samples; what fills no chunk waits for more."""
        stamps = np.rint(times * 1e9).astype(np.int64)
        table = self._table.of(values)
        for at, stop, known in self._runs(len(times), values):
            if known != self._shown:
                self._flush()
                self._shown, self._rows = known, self._rows_of(known)
            while at < stop:
                taken = self._rows.take(table[at:stop], stamps[at:stop], self._count)
                at, self._count = at + taken, self._count + taken  # noqa: PLW2901
                if self._rows.full:
                    self._flush()

    def close(self, header: TraceHeader) -> None:
        """Write what waits, the header and the end."""
        self._flush()
        document = {key: json.dumps(value) for key, value in header.to_json().items()}
        self._file.metadata(_METADATA, document)
        self._file.finish()
        self._stream.close()

    def _flush(self) -> None:
        """Write the samples that wait, as a chunk."""
        messages = self._rows.messages()
        if messages is not None:
            self._file.chunk(messages)

    def _rows_of(self, known: tuple[bool, ...]) -> Rows:
        """Rows for samples of which some poses are known: only these are transforms."""
        shown = list(itertools.compress(self._posed, known))
        posed = [(self._transforms, transforms(shown, self._table))] if shown else []
        return Rows([*self._plain, *posed], self._table.width, _CHUNK)

    def _known(self, topic: str) -> int:
        return self._file.topic(topic, *TYPES[topic])

    def _write_first(self, header: TraceHeader, description: str) -> None:
        """What is said once."""
        once = []
        if description:
            once.append((DESCRIPTION, Message().string(description).data()))
        if header.fixed_frames:
            once.append((STATIC, static_transforms(header.fixed_frames)))
        for topic, message in once:
            channel = self._known(topic)
            data = np.frombuffer(message_record(channel, message), np.uint8)[np.newaxis]
            self._file.chunk(Messages(data, [channel], [0], np.zeros(1, np.int64)))

    def _runs(
        self, count: int, values: Mapping[str, Array]
    ) -> Iterator[tuple[int, int, tuple[bool, ...]]]:
        """Samples next to each other of which the same poses are known: from where to where."""
        if not any(np.isnan(values[each.name].sum()) for each in self._posed):
            yield 0, count, (True,) * len(self._posed)
            return
        known = np.stack([~np.isnan(values[each.name]).any(axis=1) for each in self._posed], 1)
        changes = np.flatnonzero((known[1:] != known[:-1]).any(axis=1)) + 1
        for start, stop in itertools.pairwise([0, *changes.tolist(), count]):
            yield start, stop, tuple(known[start].tolist())


def open_sink(path: Path, header: TraceHeader, description: str) -> McapSink:
    """Begin a file."""
    return McapSink(path, header, description)


def read(path: Path) -> Trace:
    """Read the file."""
    with path.open("rb") as stream:
        try:
            reader = make_reader(stream)
            stated = next((each for each in reader.iter_metadata() if each.name == _METADATA), None)
            if stated is None:
                raise PhyzctlError(f"it has no metadata {_METADATA!r}")
            document = {key: json.loads(value) for key, value in stated.metadata.items()}
            header = TraceHeader.from_json(document)
            wanted = {DESCRIPTION, TRANSFORMS, *(f"/{each.name}" for each in header.channels)}
            found = (
                (channel.topic, message.log_time, message.data)
                for _, channel, message in reader.iter_messages(topics=sorted(wanted))
            )
            return _collected(header, found)
        except (McapError, ZstdError, *_DAMAGE) as error:
            raise PhyzctlError(f"this is no trace: {error}") from error


def _collected(header: TraceHeader, messages: Iterable[tuple[str, int, bytes]]) -> Trace:
    collectors = [_Collector(each) for each in header.channels]
    takers: dict[str, list[_Collector]] = {}
    for each in collectors:
        takers.setdefault(each.topic, []).append(each)
    description, first = "", collectors[0].topic if collectors else ""
    stamps = []
    for topic, stamp, data in messages:
        for each in takers.get(topic, ()):
            each.take(data)
        if topic == DESCRIPTION:
            description = data[8:-1].decode()
        if topic == first:
            stamps.append(stamp)
    values = {each.name: each.values() for each in collectors}
    return Trace(header, np.array(stamps, np.float64) / 1e9, values, description)


class _Collector:
    """Gathers the numbers of one channel from its messages."""

    def __init__(self, channel: Channel) -> None:
        self.name, self._width = channel.name, len(channel.columns)
        table = Table([channel])
        layout = transforms([channel], table) if channel.bodies else plain(channel, table)
        self.topic = layout.topic
        self._posed = bool(channel.bodies)
        self._slots = [slot for slot in layout.message.slots if slot.count]
        self._samples: list[Array] = []

    def take(self, data: bytes) -> None:
        """Read one message."""
        parts = [read_doubles(data, slot.count, slot.offset) for slot in self._slots]
        self._samples.append(np.concatenate(parts))

    def values(self) -> Array:
        """What was gathered, in the order of the channel's columns."""
        found = np.array(self._samples, np.float64).reshape(-1, self._width)
        if self._posed:
            found = found.reshape(len(found), self._width // 7, 7)[:, :, [0, 1, 2, 6, 3, 4, 5]]
        return np.ascontiguousarray(found.reshape(-1, self._width))
