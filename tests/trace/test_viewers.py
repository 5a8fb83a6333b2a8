"""A trace of the quadruped as other people's programs open it: `mcap`, `rosbags`, Rerun.

Rerun (extra `rerun`) weighs 500 MB: its test is skipped where it is not installed.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mcap.reader import make_reader

from phyzctl.sim.engine import Engine
from phyzctl.sim.hold import hold
from phyzctl.sim.recording import Recording, description, origin_of_model
from phyzctl.sim.run import Run
from phyzctl.sim.start import initial_start
from phyzctl.trace.files import read_trace
from phyzctl.trace.trace import Trace
from phyzctl.trace.writer import TraceWriter
from tests.sim.robots import sample

STEPS = 60


@pytest.fixture(scope="module", params=[1, 5], ids=["every step", "thinned"])
def written(tmp_path_factory: pytest.TempPathFactory, request: Any) -> tuple[Path, Trace]:
    """Compressed or not, and what we read in it ourselves."""
    path = tmp_path_factory.mktemp("trace") / "quadruped.mcap"
    subject = sample("quadruped.urdf")
    engine, start = Engine(subject), initial_start(subject, q={"front_left_knee": -0.9})
    run = Run(engine, hold(engine, start.state), start, STEPS, request.param)
    recording = Recording(run, origin_of_model(subject), ("effort", "poses"))
    with TraceWriter(path, recording.header(), description(subject)) as writer:
        for block in run.blocks():
            writer.add(block.times, recording.values(block))
        writer.finish(**recording.ending())
    return path, read_trace(path)


def joints(trace: Trace, channel: str) -> tuple[list[str], Any]:
    """The names of the joints, and their columns of a channel."""
    table = trace.header.joints
    place = "q" if channel == "q" else "v"
    columns = [int(joint[place]) for joint in table]
    return [str(joint["name"]) for joint in table], trace.values[channel][:, columns]


def test_mcap_reads_every_message_and_its_unit(written: tuple[Path, Trace]) -> None:
    path, trace = written
    with path.open("rb") as stream:
        reader = make_reader(stream, validate_crcs=True)
        found = list(reader.iter_messages())
    stamps = [message.log_time for _, channel, message in found if channel.topic == "/joint_states"]
    assert stamps == np.rint(trace.times * 1e9).astype(int).tolist()
    units = {
        channel.topic: [line.split("# ")[1] for line in schema.data.decode().splitlines()]
        for schema, channel, _ in found
        if schema is not None and schema.name.startswith("phyzctl_msgs")
    }
    assert units == {f"/{c.name}": list(c.units) for c in trace.header.channels if not c.bodies}


def test_rosbags_reads_joints_and_transforms(written: tuple[Path, Trace]) -> None:
    highlevel = pytest.importorskip("rosbags.highlevel")
    path, trace = written
    names, positions = joints(trace, "q")
    _, speeds = joints(trace, "v")
    _, efforts = joints(trace, "effort")
    with highlevel.AnyReader([path]) as reader:
        wanted = [each for each in reader.connections if each.topic == "/joint_states"]
        states = [(t, reader.deserialize(d, c.msgtype)) for c, t, d in reader.messages(wanted)]
        posed = [each for each in reader.connections if each.topic == "/tf"]
        transforms = [reader.deserialize(d, c.msgtype) for c, _, d in reader.messages(posed)]
    assert len(states) == len(transforms) == len(trace)
    for row, (stamp, state) in enumerate(states):
        assert stamp == state.header.stamp.sec * 10**9 + state.header.stamp.nanosec
        assert stamp == round(trace.times[row] * 1e9)
        assert list(state.name) == names
        assert state.position.tolist() == positions[row].tolist()
        assert state.velocity.tolist() == speeds[row].tolist()
        assert state.effort.tolist() == efforts[row].tolist()
    (channel,) = (each for each in trace.header.channels if each.bodies)
    last = transforms[-1].transforms
    assert [each.child_frame_id for each in last] == list(channel.bodies)
    place = last[0].transform.translation
    assert [place.x, place.y, place.z] == trace.values["poses"][-1, :3].tolist()


def test_rerun_shows_joints_and_the_robot(written: tuple[Path, Trace], tmp_path: Path) -> None:
    reader = pytest.importorskip("rerun.chunk").RrdReader
    path, trace = written
    out = tmp_path / "quadruped.rrd"
    command = [sys.executable, "-m", "rerun", "mcap", "convert", str(path), "-o", str(out)]
    subprocess.run(command, check=True, capture_output=True)
    chunks: dict[str, list[Any]] = {}
    for chunk in reader(str(out)).stream():
        chunks.setdefault(str(chunk.entity_path), []).append(chunk.to_record_batch())
    for topic, channel in (("position", "q"), ("velocity", "v"), ("effort", "effort")):
        names, values = joints(trace, channel)
        (batch,) = chunks[f"/joint_states/{topic}"]
        columns = {name: batch.column(name).to_pylist() for name in batch.schema.names}
        assert columns["SeriesLines:names"] == [names] * len(trace)
        assert columns["Scalars:scalars"] == values.tolist()
        stamps = np.asarray(batch.column("message_log_time").cast("int64"))
        assert stamps.tolist() == np.rint(trace.times * 1e9).astype(int).tolist()
    (tf,) = (each for each in chunks["/tf"] if "Transform3D:child_frame" in each.schema.names)
    frames = {frame for (frame,) in tf.column("Transform3D:child_frame").to_pylist()}
    (posed,) = (each for each in trace.header.channels if each.bodies)
    assert frames == set(posed.bodies)
    shapes = {each for each in chunks if "/visual_geometries/" in each}
    assert {each.split("/")[3] for each in shapes} >= {"trunk", "front_left_thigh"}
