"""The container of MCAP: records, chunks and their indexes, for messages that come in blocks.

A chunk is given as one array of bytes that already holds message records, so that a million
messages cost a few calls. Layout: https://mcap.dev/spec
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from typing import IO, NamedTuple

import numpy as np
from mcap.data_stream import RecordBuilder
from mcap.opcode import Opcode
from mcap.records import (
    Channel,
    Chunk,
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
_LEVEL = 1  # of compression: numbers that vary hardly shrink further at a higher one

MESSAGE_HEAD = struct.Struct("<BQHIQQ")
"""Of a message's record: opcode, length of what follows, channel, sequence, two times [ns]."""


def message_record(channel: int, data: bytes) -> bytes:
    """The record of a message at time 0."""
    head = MESSAGE_HEAD.pack(Opcode.MESSAGE, MESSAGE_HEAD.size - 9 + len(data), channel, 0, 0, 0)
    return head + data


class Entries(NamedTuple):
    """Where a channel's messages are in a chunk."""

    times: NDArray[np.int64]
    offsets: NDArray[np.int64]


class McapFile:
    """Writes one file, front to back."""

    def __init__(self, stream: IO[bytes], library: str) -> None:
        self._stream = stream
        self._schemas: list[Schema] = []
        self._channels: list[Channel] = []
        self._chunks: list[ChunkIndex] = []
        self._metadata: list[MetadataIndex] = []
        self._counts: dict[int, int] = {}
        self._compressor = ZstdCompressor(level=_LEVEL)
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

    def chunk(self, data: bytes, entries: Mapping[int, Entries]) -> None:
        """Write message records, `entries` being where each channel's stand in them."""
        filled = {number: each for number, each in entries.items() if len(each.times)}
        if not filled:
            return
        start = int(min(each.times.min() for each in filled.values()))
        end = int(max(each.times.max() for each in filled.values()))
        packed = self._compressor.compress(data)
        at = self._stream.tell()
        self._write(
            Chunk(
                compression="zstd",
                data=packed,
                message_end_time=end,
                message_start_time=start,
                uncompressed_crc=zlib.crc32(data),
                uncompressed_size=len(data),
            )
        )
        length, indexes_at = self._stream.tell() - at, self._stream.tell()
        offsets = {number: self._index(number, each) for number, each in filled.items()}
        self._chunks.append(
            ChunkIndex(
                chunk_length=length,
                chunk_start_offset=at,
                compression="zstd",
                compressed_size=len(packed),
                message_end_time=end,
                message_index_length=self._stream.tell() - indexes_at,
                message_index_offsets=offsets,
                message_start_time=start,
                uncompressed_size=len(data),
            )
        )

    def _index(self, channel: int, entries: Entries) -> int:
        """Write a channel's message index and give its place."""
        self._counts[channel] = self._counts.get(channel, 0) + len(entries.times)
        pairs = np.stack([entries.times, entries.offsets], axis=1).astype("<u8").tobytes()
        at = self._stream.tell()
        self._stream.write(struct.pack("<BQHI", 0x07, 6 + len(pairs), channel, len(pairs)))
        self._stream.write(pairs)
        return at

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
