"""Traces written while the run goes on: any blocks make the same file."""

from __future__ import annotations

import csv
import json
import struct
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mcap.reader import make_reader

from phyzctl.errors import PhyzctlError
from phyzctl.trace.files import read_trace, write_trace
from phyzctl.trace.header import Channel, TraceHeader
from phyzctl.trace.trace import Trace, make_trace
from phyzctl.trace.writer import TraceWriter
from tests.trace.formats import every_format
from tests.trace.test_files import header as small_header

JOINTS = (
    {"name": "Elbow-1", "type": "hinge", "unit": "rad", "q": 7, "v": 6},
    {"name": "lift", "type": "slide", "unit": "m", "q": 8, "v": 7},
)
AXES = ("x", "y", "z", "qw", "qx", "qy", "qz")


def header(**changes: Any) -> TraceHeader:
    """A free body, two joints, their poses."""
    q = (*(f"root.{axis}" for axis in AXES), "Elbow-1", "lift")
    v = (*(f"root.{axis}" for axis in ("vx", "vy", "vz", "wx", "wy", "wz")), "Elbow-1", "lift")
    poses = tuple(f"{body}.{axis}" for body in ("base", "arm") for axis in AXES)
    channels = (
        Channel("q", q, ("m",) * 9, state=True),
        Channel("v", v, ("m/s",) * 8, state=True),
        Channel("effort", v, ("N",) * 8),
        Channel("poses", poses, ("m",) * 14, "world", bodies=("base", "arm")),
    )
    values: dict[str, Any] = {"channels": channels, "joints": JOINTS, "kind": "simulate"}
    values["fixed_frames"] = {"shelf": (1.0, 2.0, 3.0, 0.5, 0.5, -0.5, 0.5)}
    return small_header(**(values | changes))


def trace(count: int) -> Trace:
    rng = np.random.default_rng(7)
    made = header()
    values = {each.name: rng.normal(size=(count, len(each.columns))) for each in made.channels}
    return make_trace(
        made, 0.002 * np.arange(count, dtype=np.float64), values, description="<robot/>"
    )


def written(path: Path, whole: Trace, sizes: list[int]) -> TraceHeader:
    start = 0
    with TraceWriter(path, whole.header, whole.description) as writer:
        for size in sizes:
            part = slice(start, start + size)
            values = {name: each[part] for name, each in whole.values.items()}
            writer.add(whole.times[part], values)
            start += size
        return writer.finish()


@every_format
@pytest.mark.parametrize("sizes", [[], [1], [3000], [1, 0, 2, 997, 2000]], ids=str)
def test_blocks_of_any_size_make_the_same_file(
    tmp_path: Path, suffix: str, sizes: list[int]
) -> None:
    whole = trace(sum(sizes))
    write_trace(whole, tmp_path / f"whole{suffix}")
    finished = written(tmp_path / f"parts{suffix}", whole, sizes)
    whole_file, parts = (tmp_path / f"{name}{suffix}" for name in ("whole", "parts"))
    assert parts.read_bytes() == whole_file.read_bytes()
    assert finished == whole.header
    found = read_trace(parts)
    assert found.header == whole.header
    assert found.is_intact()
    for name, values in whole.values.items():
        assert np.array_equal(found.values[name], values)


@every_format
def test_a_run_that_is_cut_short_leaves_what_there_is(tmp_path: Path, suffix: str) -> None:
    whole, path = trace(10), tmp_path / f"t{suffix}"

    def interrupted() -> None:
        with TraceWriter(path, whole.header) as writer:
            writer.add(whole.times, whole.values)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    found = read_trace(path)
    assert not found.header.complete
    assert found.header.steps == len(found) == 10
    assert found.is_intact()


def test_what_is_only_known_at_the_end(tmp_path: Path) -> None:
    whole = trace(3)
    with TraceWriter(tmp_path / "t.npz", whole.header) as writer:
        writer.add(whole.times, whole.values)
        writer.finish(complete=False, events=((0.5, "bang"),))
    found = read_trace(tmp_path / "t.npz").header
    assert (found.complete, found.events, found.steps) == (False, ((0.5, "bang"),), 3)


@every_format
@pytest.mark.parametrize("length", [10, 5000])
def test_headers_may_grow_while_the_run_goes_on(tmp_path: Path, suffix: str, length: int) -> None:
    whole, path = trace(30), tmp_path / f"t{suffix}"
    events = ((0.5, "é" * length),)
    with TraceWriter(path, whole.header) as writer:
        writer.add(whole.times, whole.values)
        writer.finish(events=events)
    found = read_trace(path)
    assert found.header.events == events
    assert (len(found), found.is_intact()) == (30, True)


@every_format
def test_numbers_that_are_none_or_have_a_sign_only(tmp_path: Path, suffix: str) -> None:
    odd = Channel("odd", ("a", "b", "c", "d"), ("m",) * 4, state=True)
    values = np.array([[np.nan, np.inf, -np.inf, -0.0], [1e300, 5e-324, 0.1, 1e16]])
    made = make_trace(small_header(channels=(odd,)), np.array([0.0, 1.0]), {"odd": values})
    write_trace(made, tmp_path / f"t{suffix}")
    found = read_trace(tmp_path / f"t{suffix}").values["odd"]
    assert np.array_equal(found, values, equal_nan=True)
    assert np.signbit(found[0, 3])


def test_paths_that_can_not_be(tmp_path: Path) -> None:
    with pytest.raises(PhyzctlError, match="trace format"):
        TraceWriter(tmp_path / "t.txt", header())
    with pytest.raises(PhyzctlError, match="can't write"):
        TraceWriter(tmp_path / "none" / "t.npz", header())


@every_format
@pytest.mark.parametrize("made", [0, 1, 150, 499])
def test_fewer_samples_than_were_planned(tmp_path: Path, suffix: str, made: int) -> None:
    whole, path = trace(500), tmp_path / f"t{suffix}"
    with TraceWriter(path, whole.header, whole.description) as writer:
        writer.add(whole.times[:made], {n: each[:made] for n, each in whole.values.items()})
    found = read_trace(path)
    assert (len(found), found.header.steps, found.is_intact()) == (made, made, True)
    assert found.times == pytest.approx(whole.times[:made], abs=1e-9)
    assert all(np.array_equal(found.values[n], each[:made]) for n, each in whole.values.items())
    assert found.description == whole.description


def test_npz_is_what_numpy_and_zip_read(tmp_path: Path) -> None:
    whole = trace(400)
    written(tmp_path / "t.npz", replace(whole, header=replace(whole.header, steps=700)), [150, 250])
    with zipfile.ZipFile(tmp_path / "t.npz") as archive:
        assert archive.testzip() is None
        assert {each.date_time for each in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        numbers = 8 * sum(each.size for each in (whole.times, *whole.values.values()))
        assert (tmp_path / "t.npz").stat().st_size < numbers + 10_000
    with np.load(tmp_path / "t.npz") as arrays:
        assert set(arrays) == {"header", "description", "time", *whole.values}
        assert all(np.array_equal(arrays[n], each) for n, each in whole.values.items())


def test_npz_has_no_room_for_more_samples_than_were_planned(tmp_path: Path) -> None:
    whole = trace(3)
    with (
        pytest.raises(ValueError, match="there is room for"),
        TraceWriter(tmp_path / "t.npz", replace(whole.header, steps=2)) as writer,
    ):
        writer.add(whole.times, whole.values)


def test_csv_columns_are_the_channels(tmp_path: Path) -> None:
    write_trace(trace(2), tmp_path / "t.csv")
    with (tmp_path / "t.csv").open(newline="") as stream:
        names = next(csv.reader(stream))
    assert names[:3] == ["time", "q.root.x", "q.root.y"]
    assert names[8] == "q.Elbow-1"
    assert names[-1] == "poses.arm.qz"


# MCAP


def messages(path: Path) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    with path.open("rb") as stream:
        for schema, channel, message in make_reader(stream, validate_crcs=True).iter_messages():
            assert schema is not None
            found.setdefault(channel.topic, []).append((schema, message))
    return found


@pytest.fixture
def opened(tmp_path: Path) -> dict[str, list[Any]]:
    written(tmp_path / "t.mcap", trace(1500), [500, 1000])
    return messages(tmp_path / "t.mcap")


def test_topics(opened: dict[str, list[Any]]) -> None:
    counts = {topic: len(each) for topic, each in opened.items()}
    once = {"/robot_description": 1, "/tf_static": 1}
    assert counts == once | dict.fromkeys(("/q", "/v", "/effort", "/joint_states", "/tf"), 1500)
    for each in opened.values():
        times = [message.log_time for _, message in each]
        assert times == [message.publish_time for _, message in each]
        assert times == [2_000_000 * index for index in range(len(each))]
    assert [message.sequence for _, message in opened["/tf"]] == list(range(1500))


def test_the_index_knows_every_message(tmp_path: Path) -> None:
    written(tmp_path / "t.mcap", trace(1500), [1500])
    with (tmp_path / "t.mcap").open("rb") as stream:
        reader = make_reader(stream)
        summary = reader.get_summary()
        late = list(reader.iter_messages(topics=["/tf"], starting_at=2_900_000_000))
    assert summary is not None
    assert summary.statistics is not None
    assert summary.statistics.message_count == 5 * 1500 + 2
    assert summary.statistics.message_end_time == 2_998_000_000
    assert len(summary.chunk_indexes) > 1
    assert len(late) == 50


@pytest.mark.parametrize(("every", "compression"), [(1, "zstd"), (5, "")])
def test_only_traces_of_every_step_are_compressed(
    tmp_path: Path, every: int, compression: str
) -> None:
    whole = trace(1500)
    thin = replace(whole, header=replace(whole.header, options={"every": every}))
    write_trace(thin, tmp_path / "t.mcap")
    with (tmp_path / "t.mcap").open("rb") as stream:
        summary = make_reader(stream).get_summary()
    assert summary is not None
    assert {each.compression for each in summary.chunk_indexes} == {compression}
    assert len(messages(tmp_path / "t.mcap")["/tf"]) == 1500


def test_fields_are_names_that_ros_takes(opened: dict[str, list[Any]]) -> None:
    schema, _ = opened["/q"][0]
    fields = [line.split()[1] for line in schema.data.decode().splitlines()]
    assert fields == [*(f"root_{axis}" for axis in AXES), "elbow_1", "lift"]


def test_fields_that_would_be_the_same_are_told_apart(tmp_path: Path) -> None:
    odd = Channel("odd", ("a-b", "a_b", "1", "A.b"), ("m",) * 4)
    made = make_trace(small_header(channels=(odd,)), np.zeros(1), {"odd": np.zeros((1, 4))})
    write_trace(made, tmp_path / "t.mcap")
    schema, _ = messages(tmp_path / "t.mcap")["/odd"][0]
    fields = [line.split()[1] for line in schema.data.decode().splitlines()]
    assert fields == ["a_b", "a_b_2", "c_1", "a_b_3"]


class Cdr:
    """Reads a message by the letter of the encoding."""

    def __init__(self, data: bytes) -> None:
        assert data[:4] == b"\x00\x01\x00\x00"
        self.data, self.at = data[4:], 0

    def take(self, code: str) -> Any:
        size = struct.calcsize(code)
        self.at += -self.at % size
        (value,) = struct.unpack_from(f"<{code}", self.data, self.at)
        self.at += size
        return value

    def string(self) -> str:
        length = self.take("I")
        text = self.data[self.at : self.at + length - 1].decode()
        self.at += length
        return text

    def doubles(self) -> list[float]:
        return [self.take("d") for _ in range(self.take("I"))]

    def finished(self) -> bool:
        return self.at == len(self.data)


def test_joint_states_by_the_letter(opened: dict[str, list[Any]]) -> None:
    schema, message = opened["/joint_states"][1234]
    assert schema.name == "sensor_msgs/msg/JointState"
    cdr, values = Cdr(message.data), trace(1500).values
    assert (cdr.take("i"), cdr.take("I"), cdr.string()) == (2, 468_000_000, "")
    assert [cdr.string() for _ in range(cdr.take("I"))] == ["Elbow-1", "lift"]
    assert cdr.doubles() == values["q"][1234, 7:9].tolist()
    assert cdr.doubles() == values["v"][1234, 6:8].tolist()
    assert cdr.doubles() == values["effort"][1234, 6:8].tolist()
    assert cdr.finished()


def test_joint_states_without_efforts(tmp_path: Path) -> None:
    channels = header().channels[:2]
    whole = trace(3)
    values = {name: whole.values[name] for name in ("q", "v")}
    made = make_trace(header(channels=channels), whole.times, values)
    write_trace(made, tmp_path / "t.mcap")
    _, message = messages(tmp_path / "t.mcap")["/joint_states"][2]
    cdr = Cdr(message.data)
    (cdr.take("i"), cdr.take("I"), cdr.string())
    assert [cdr.string() for _ in range(cdr.take("I"))] == ["Elbow-1", "lift"]
    assert (len(cdr.doubles()), len(cdr.doubles()), cdr.doubles()) == (2, 2, [])
    assert cdr.finished()


@pytest.mark.parametrize("topic", ["/tf", "/tf_static"])
def test_transforms_by_the_letter(opened: dict[str, list[Any]], topic: str) -> None:
    """Quaternions are x y z w there, w x y z here."""
    schema, message = opened[topic][-1]
    assert schema.name == "tf2_msgs/msg/TFMessage"
    cdr, whole = Cdr(message.data), trace(1500)
    poses = dict(
        zip(("base", "arm"), whole.values["poses"][-1].reshape(2, 7).tolist(), strict=True)
    )
    expected = poses if topic == "/tf" else whole.header.fixed_frames
    assert cdr.take("I") == len(expected)
    for body, pose in expected.items():
        stamp = (2, 998_000_000) if topic == "/tf" else (0, 0)
        assert (cdr.take("i"), cdr.take("I")) == stamp
        assert (cdr.string(), cdr.string()) == ("world", body)
        x, y, z, w, i, j, k = pose
        assert [cdr.take("d") for _ in range(7)] == [x, y, z, i, j, k, w]
    assert cdr.finished()


def test_the_header_stays_json(tmp_path: Path) -> None:
    document = json.loads(json.dumps(header().to_json()))
    assert TraceHeader.from_json(document).fixed_frames == header().fixed_frames
    assert TraceHeader.from_json(document).joints == JOINTS
    old = {key: value for key, value in document.items() if key not in ("joints", "fixed_frames")}
    assert TraceHeader.from_json(old).joints == ()
