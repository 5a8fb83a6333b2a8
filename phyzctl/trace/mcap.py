"""Traces as .mcap: ROS 2 messages in CDR, which Foxglove, Rerun, PlotJuggler and rosbag open.

Every channel is a topic of its own with a message of doubles, one a column; poses and points of
bodies also go to `/tf`, and what moved to `/robot_description`. The header is the metadata record
`phyzctl.run`. Log time is the time of the run, from 0, in whole nanoseconds.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import phyzctl
from phyzctl.errors import PhyzctlError
from phyzctl.trace.cdr import Message, read_doubles
from phyzctl.trace.header import Channel, TraceHeader
from phyzctl.trace.trace import Trace

if TYPE_CHECKING:
    from mcap.writer import Writer

# What the reader raises on damaged files, besides its own and the compressor's errors.
_DAMAGE = (LookupError, OverflowError, ValueError, MemoryError, struct.error)
_METADATA = "phyzctl.run"
_DESCRIPTION = "/robot_description"
_STRING = "string data\n"
_RULE = "=" * 80
_TF = f"""\
geometry_msgs/TransformStamped[] transforms
{_RULE}
MSG: geometry_msgs/TransformStamped
std_msgs/Header header
string child_frame_id
Transform transform
{_RULE}
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
{_RULE}
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
{_RULE}
MSG: geometry_msgs/Transform
Vector3 translation
Quaternion rotation
{_RULE}
MSG: geometry_msgs/Vector3
float64 x
float64 y
float64 z
{_RULE}
MSG: geometry_msgs/Quaternion
float64 x
float64 y
float64 z
float64 w
"""


def write(trace: Trace, path: Path) -> None:
    """Write the file."""
    try:
        from mcap.writer import Writer
    except ImportError as error:
        raise _missing() from error
    with path.open("wb") as stream:
        writer = Writer(stream)
        writer.start(profile="ros2", library=f"phyzctl {phyzctl.__version__}")
        header = {key: json.dumps(value) for key, value in trace.header.to_json().items()}
        writer.add_metadata(_METADATA, header)
        _write_messages(trace, writer)
        writer.finish()  # type: ignore[no-untyped-call]


def _write_messages(trace: Trace, writer: Writer) -> None:
    channels = trace.header.channels
    topics = [
        _topic(writer, f"/{each.name}", f"phyzctl_msgs/msg/{_camel(each.name)}", _definition(each))
        for each in channels
    ]
    posed = [index for index, each in enumerate(channels) if each.body]
    transforms = _topic(writer, "/tf", "tf2_msgs/msg/TFMessage", _TF) if posed else 0
    if trace.description:
        topic = _topic(writer, _DESCRIPTION, "std_msgs/msg/String", _STRING)
        _add(writer, topic, 0, Message().string(trace.description))
    for time, sample in trace.rows():
        stamp = round(time * 1e9)
        for topic, numbers in zip(topics, sample, strict=True):
            _add(writer, topic, stamp, Message().doubles(numbers))
        known = [index for index in posed if not any(map(math.isnan, sample[index]))]
        if known:
            message = Message().uint32(len(known))
            for index in known:
                _add_pose(message, channels[index], stamp, sample[index])
            _add(writer, transforms, stamp, message)


def _add_pose(message: Message, channel: Channel, stamp: int, numbers: list[float]) -> None:
    x, y, theta = (*numbers, 0.0)[:3]
    message.time(stamp).string(channel.frame).string(channel.body)
    turn = (0.0, 0.0, math.sin(theta / 2), math.cos(theta / 2))
    message.doubles((x, y, 0.0, *turn))


def _topic(writer: Writer, topic: str, name: str, definition: str) -> int:
    schema = writer.register_schema(name, "ros2msg", definition.encode())
    metadata = {"offered_qos_profiles": ""}
    return writer.register_channel(topic, "cdr", schema, metadata)


def _add(writer: Writer, topic: int, stamp: int, message: Message) -> None:
    writer.add_message(topic, log_time=stamp, publish_time=stamp, data=message.data())


def _definition(channel: Channel) -> str:
    pairs = zip(channel.columns, channel.units, strict=True)
    return "".join(f"float64 {column} # {unit}\n" for column, unit in pairs)


def _camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def read(path: Path) -> Trace:
    """Read the file."""
    try:
        from mcap.exceptions import McapError
        from mcap.reader import make_reader
        from zstandard import ZstdError
    except ImportError as error:
        raise _missing() from error
    with path.open("rb") as stream:
        try:
            reader = make_reader(stream)
            stated = next((each for each in reader.iter_metadata() if each.name == _METADATA), None)
            if stated is None:
                raise PhyzctlError(f"it has no metadata {_METADATA!r}")
            document = {key: json.loads(value) for key, value in stated.metadata.items()}
            header = TraceHeader.from_json(document)
            found = (
                (channel.topic, message.log_time, message.data)
                for _, channel, message in reader.iter_messages()
            )
            return _collected(header, found)
        except (McapError, ZstdError, *_DAMAGE) as error:
            raise PhyzctlError(f"this is no trace: {error}") from error


def _collected(header: TraceHeader, messages: Iterator[tuple[str, int, bytes]]) -> Trace:
    samples: dict[str, list[tuple[float, ...]]] = {f"/{each.name}": [] for each in header.channels}
    widths = {f"/{each.name}": len(each.columns) for each in header.channels}
    description, first = "", f"/{header.channels[0].name}" if header.channels else ""
    stamps = []
    for topic, stamp, data in messages:
        if topic in samples:
            samples[topic].append(read_doubles(data, widths[topic]))
        elif topic == _DESCRIPTION:
            description = data[8:-1].decode()
        if topic == first:
            stamps.append(stamp)
    values = {
        each.name: np.array(samples[f"/{each.name}"], np.float64).reshape(-1, len(each.columns))
        for each in header.channels
    }
    return Trace(header, np.array(stamps, np.float64) / 1e9, values, description)


def _missing() -> PhyzctlError:
    return PhyzctlError("traces as .mcap need the package mcap: pip install mcap")
