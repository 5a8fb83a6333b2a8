"""The container of MCAP: records, chunks and their indexes, for messages that come in blocks.

A chunk is given as rows of bytes that already are message records, so that a million messages cost
a few calls. Layout: https://mcap.dev/spec
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping, Sequence
from typing import IO, NamedTuple

import numpy as np
from mcap.data_stream import RecordBuilder
from mcap.opcode import Opcode
from mcap.records import (
    Channel,
    ChunkIndex,
    DataEnd,
    Footer,
    Header,
    McapRecord,
    Metadata,
    MetadataIndex,
    Schema,
    Statistics,
    SummaryOffset,
)
from numpy.typing import NDArray
from zstandard import ZstdCompressor

_MAGIC = b"\x89MCAP0\r\n"
_LEVEL = -3  # of compression: at 1 files are a tenth smaller, and it takes twice the time

_CHUNK_HEAD = struct.Struct("<QQQII")
_INDEX_HEAD = struct.Struct("<BQHI")
MESSAGE_HEAD = struct.Struct("<BQHIQQ")
"""Of a message's record: opcode, length of what follows, channel, sequence, two times [ns]."""


def message_record(channel: int, data: bytes) -> bytes:
    """The record of a message at time 0."""
    head = MESSAGE_HEAD.pack(Opcode.MESSAGE, MESSAGE_HEAD.size - 9 + len(data), channel, 0, 0, 0)
    return head + data


class Messages(NamedTuple):
    """Records of messages: in every row of `data` (n, size) one on each of some channels.

    `starts` is where they are in a row, `times` (n,) [ns] when they were logged.
    """

    data: NDArray[np.uint8]
    channels: Sequence[int]
    starts: Sequence[int]
    times: NDArray[np.int64]


class McapFile:
    """Writes one file, front to back."""

    def __init__(self, stream: IO[bytes], library: str, *, compress: bool = True) -> None:
        self._stream = stream
        self._schemas: list[Schema] = []
        self._channels: list[Channel] = []
        self._chunks: list[ChunkIndex] = []
        self._metadata: list[MetadataIndex] = []
        self._counts: dict[int, int] = {}
        self._compressor = ZstdCompressor(level=_LEVEL) if compress else None
        stream.write(_MAGIC)
        self._write(Header("ros2", library))

    def topic(self, topic: str, name: str, definition: str) -> int:
        """Announce a topic whose messages are of the type `name`, and give its number."""
        schema = Schema(len(self._schemas) + 1, definition.encode(), "ros2msg", name)
        channel = Channel(
            id=len(self._channels) + 1,
            topic=topic,
            message_encoding="cdr",
            metadata={"offered_qos_profiles": ""},
            schema_id=schema.id,
        )
        self._schemas.append(schema)
        self._channels.append(channel)
        self._write(schema)
        self._write(channel)
        return channel.id

    def chunk(self, messages: Messages) -> None:
        """Write a chunk, and the index of its messages."""
        data, times = messages.data.data, messages.times
        start, end, size = int(times.min()), int(times.max()), data.nbytes
        kind, packed = "", data
        if self._compressor is not None:
            kind, packed = "zstd", memoryview(self._compressor.compress(data))
        length = packed.nbytes
        head = _CHUNK_HEAD.pack(start, end, size, zlib.crc32(data), len(kind))
        head += kind.encode() + struct.pack("<Q", length)
        at = self._stream.tell()
        self._stream.write(struct.pack("<BQ", Opcode.CHUNK, len(head) + length) + head)
        self._stream.write(packed)
        indexes_at = self._stream.tell()
        offsets = self._index(messages, indexes_at)
        self._chunks.append(
            ChunkIndex(
                chunk_length=indexes_at - at,
                chunk_start_offset=at,
                compression=kind,
                compressed_size=length,
                message_end_time=end,
                message_index_length=self._stream.tell() - indexes_at,
                message_index_offsets=offsets,
                message_start_time=start,
                uncompressed_size=size,
            )
        )

    def _index(self, messages: Messages, at: int) -> dict[int, int]:
        """Write the index of each channel's messages, and give their places."""
        data, channels, starts, times = messages
        count = len(times)
        entries = np.empty((len(channels), count, 2), "<u8")
        entries[:, :, 0] = times
        entries[:, :, 1] = np.add.outer(starts, data.shape[1] * np.arange(count))
        records = np.empty((len(channels), _INDEX_HEAD.size + 16 * count), np.uint8)
        for record, channel in zip(records, channels, strict=True):
            head = _INDEX_HEAD.pack(Opcode.MESSAGE_INDEX, 6 + 16 * count, channel, 16 * count)
            record[: _INDEX_HEAD.size] = np.frombuffer(head, np.uint8)
            self._counts[channel] = self._counts.get(channel, 0) + count
        records[:, _INDEX_HEAD.size :] = entries.view(np.uint8).reshape(len(channels), -1)
        self._stream.write(records.data)
        return {channel: at + i * records.shape[1] for i, channel in enumerate(channels)}

    def metadata(self, name: str, values: Mapping[str, str]) -> None:
        """Write a metadata record."""
        at = self._stream.tell()
        self._write(Metadata(name, dict(values)))
        self._metadata.append(MetadataIndex(at, self._stream.tell() - at, name))

    def finish(self) -> None:
        """Write the summary and the end."""
        self._write(DataEnd(0))
        start = self._stream.tell()
        summary = RecordBuilder()
        offsets = []
        groups = (
            (Opcode.SCHEMA, self._schemas),
            (Opcode.CHANNEL, self._channels),
            (Opcode.STATISTICS, [self._statistics()]),
            (Opcode.CHUNK_INDEX, self._chunks),
            (Opcode.METADATA_INDEX, self._metadata),
        )
        for opcode, records in groups:
            before = summary.count
            for record in records:
                record.write(summary)
            if summary.count > before:
                offsets.append(SummaryOffset(opcode, start + before, summary.count - before))
        offsets_at = start + summary.count
        for offset in offsets:
            offset.write(summary)
        data = summary.end()  # type: ignore[no-untyped-call]
        # The checksum covers the footer too, up to itself.
        footer = struct.pack("<BQQQ", Opcode.FOOTER, 20, start, offsets_at)
        self._stream.write(data)
        checksum = zlib.crc32(footer, zlib.crc32(data))
        self._write(
            Footer(summary_start=start, summary_offset_start=offsets_at, summary_crc=checksum)
        )
        self._stream.write(_MAGIC)

    def _statistics(self) -> Statistics:
        return Statistics(
            attachment_count=0,
            channel_count=len(self._channels),
            channel_message_counts=dict(self._counts),
            chunk_count=len(self._chunks),
            message_count=sum(self._counts.values()),
            message_end_time=max((each.message_end_time for each in self._chunks), default=0),
            message_start_time=min((each.message_start_time for each in self._chunks), default=0),
            metadata_count=len(self._metadata),
            schema_count=len(self._schemas),
        )

    def _write(self, record: McapRecord) -> None:
        builder = RecordBuilder()
        record.write(builder)
        self._stream.write(builder.end())  # type: ignore[no-untyped-call]
