"""MCAP: what ROS 2 tools will find in it, decoded by the letter of the CDR encoding."""

from __future__ import annotations

import json
import math
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mcap.reader import make_reader
from mcap.writer import Writer

from phyzctl.errors import PhyzctlError
from phyzctl.trace.cdr import Message, read_doubles
from phyzctl.trace.files import read_trace, write_trace
from phyzctl.trace.header import SCHEMA, Channel
from phyzctl.trace.trace import make_trace
from tests.trace.test_files import header, trace

Messages = dict[str, list[tuple[int, bytes]]]


@pytest.fixture
def opened(tmp_path: Path) -> tuple[Any, Messages, dict[str, str]]:
    """The summary, the messages by topic, and the metadata of a small trace."""
    path = tmp_path / "t.mcap"
    write_trace(trace(20), path)
    with path.open("rb") as stream:
        reader = make_reader(stream)
        summary = reader.get_summary()
        messages: Messages = {}
        for _, channel, message in reader.iter_messages():
            messages.setdefault(channel.topic, []).append((message.log_time, message.data))
        (metadata,) = reader.iter_metadata()
        assert reader.get_header().profile == "ros2"
    assert metadata.name == "phyzctl.run"
    return summary, messages, dict(metadata.metadata)


def test_topics_schemas_and_counts(opened: tuple[Any, Messages, dict[str, str]]) -> None:
    summary, messages, _ = opened
    found = {
        channel.topic: summary.schemas[channel.schema_id].name
        for channel in summary.channels.values()
    }
    assert found == {
        "/body_pose": "phyzctl_msgs/msg/BodyPose",
        "/speed": "phyzctl_msgs/msg/Speed",
        "/tf": "tf2_msgs/msg/TFMessage",
        "/robot_description": "std_msgs/msg/String",
    }
    for channel in summary.channels.values():
        assert channel.message_encoding == "cdr"
        assert summary.schemas[channel.schema_id].encoding == "ros2msg"
        assert channel.metadata == {"offered_qos_profiles": ""}
    counts = {topic: len(each) for topic, each in messages.items()}
    assert counts == {"/body_pose": 20, "/speed": 20, "/tf": 20, "/robot_description": 1}


def test_messages_of_doubles(opened: tuple[Any, Messages, dict[str, str]]) -> None:
    summary, messages, _ = opened
    (schema,) = (each for each in summary.schemas.values() if each.name.endswith("BodyPose"))
    assert schema.data.decode().splitlines() == [
        "float64 x # m",
        "float64 y # m",
        "float64 theta # rad",
    ]
    for index, (stamp, data) in enumerate(messages["/body_pose"]):
        assert stamp == index * 100_000_000
        assert data[:4] == b"\x00\x01\x00\x00"
        assert struct.unpack("<3d", data[4:]) == tuple(trace(20).values["body_pose"][index])


def test_transforms_by_the_letter(opened: tuple[Any, Messages, dict[str, str]]) -> None:
    """sequence<TransformStamped> of one: stamp, two strings, translation, quaternion x y z w."""
    _, messages, _ = opened
    stamp, data = messages["/tf"][13]
    assert stamp == 1_300_000_000
    body = data[4:]
    count, seconds, nanoseconds, length = struct.unpack_from("<IiII", body)
    assert (count, seconds, nanoseconds) == (1, 1, 300_000_000)
    assert body[16 : 16 + length] == b"world\0"
    at = 16 + length + -(16 + length) % 4
    (length,) = struct.unpack_from("<I", body, at)
    assert body[at + 4 : at + 4 + length] == b"body\0"
    at += 4 + length
    at += -at % 8
    numbers = struct.unpack_from("<7d", body, at)
    assert at + 56 == len(body)
    x, y, theta = trace(20).values["body_pose"][13]
    expected = (x, y, 0, 0, 0, math.sin(theta / 2), math.cos(theta / 2))
    assert numbers == pytest.approx(expected)


def test_points_are_frames_too_where_they_are_known(tmp_path: Path) -> None:
    point = Channel("tip", ("x", "y"), ("m", "m"), "world", body="pusher")
    places = np.array([(1.0, 2.0), (math.nan, math.nan), (3.0, 4.0)])
    made = make_trace(header(channels=(point,)), np.arange(3.0), {"tip": places})
    write_trace(made, tmp_path / "t.mcap")
    with (tmp_path / "t.mcap").open("rb") as stream:
        found = [m for _, c, m in make_reader(stream).iter_messages() if c.topic == "/tf"]
    assert [message.log_time for message in found] == [0, 2_000_000_000]
    assert struct.unpack("<7d", found[1].data[-56:]) == (3, 4, 0, 0, 0, 0, 1)
    assert b"pusher\0" in found[1].data


def test_the_schema_of_transforms_names_every_type_it_uses(
    opened: tuple[Any, Messages, dict[str, str]],
) -> None:
    summary, _, _ = opened
    (schema,) = (each for each in summary.schemas.values() if each.name.endswith("TFMessage"))
    text = schema.data.decode()
    defined = {line.split("/")[-1] for line in text.splitlines() if line.startswith("MSG: ")}
    used = {
        line.split()[0].removesuffix("[]").split("/")[-1]
        for line in text.splitlines()
        if line and not line.startswith(("=", "MSG"))
    }
    assert used - {"string", "int32", "uint32", "float64"} == defined


def test_the_header_is_the_metadata(opened: tuple[Any, Messages, dict[str, str]]) -> None:
    _, _, metadata = opened
    assert {key: json.loads(value) for key, value in metadata.items()} == trace(20).header.to_json()


def test_the_description_is_a_string_message(
    opened: tuple[Any, Messages, dict[str, str]],
) -> None:
    _, messages, _ = opened
    ((stamp, data),) = messages["/robot_description"]
    text = trace().description.encode() + b"\0"
    assert stamp == 0
    assert data == b"\x00\x01\x00\x00" + struct.pack("<I", len(text)) + text


def test_an_mcap_of_somebody_else(tmp_path: Path) -> None:
    path = tmp_path / "t.mcap"
    with path.open("wb") as stream:
        writer = Writer(stream)
        writer.start()
        writer.add_metadata("other", {"schema": SCHEMA})
        writer.finish()  # type: ignore[no-untyped-call]
    with pytest.raises(PhyzctlError, match=r"t\.mcap: it has no metadata 'phyzctl\.run'"):
        read_trace(path)


def test_cdr_aligns_numbers_to_their_size() -> None:
    data = Message().uint32(1).string("ab").doubles((2.5,)).uint32(3).doubles((4.5, 5.5)).data()
    assert len(data) == 4 + (4 + 4 + 3) + 5 + 8 + 4 + 4 + 16
    assert struct.unpack_from("<d", data, 4 + 16) == (2.5,)
    assert struct.unpack_from("<2d", data, 4 + 32) == (4.5, 5.5)


def test_times_are_seconds_and_nanoseconds() -> None:
    assert Message().time(3_000_000_007).data()[4:] == struct.pack("<iI", 3, 7)


def test_doubles_there_and_back() -> None:
    numbers = (math.pi, -0.0, math.inf, 5e-324)
    found = read_doubles(Message().doubles(numbers).data(), 4)
    assert tuple(found) == numbers
    assert np.signbit(found[1])
