"""Headers and channels of runs."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest

from phyzctl.errors import PhyzctlError
from phyzctl.model.compiler import compile as compile_model
from phyzctl.robot.robot import Robot
from phyzctl.sim.control import Constant
from phyzctl.sim.engine import Engine
from phyzctl.sim.recording import Recording, description, origin_of_model
from phyzctl.sim.run import Run
from phyzctl.sim.start import initial_start
from phyzctl.trace.header import TraceHeader
from phyzctl.trace.trace import Trace
from tests.corpus import SAMPLES
from tests.sim.robots import MIXED, model, sample


def recorded(*extras: str, steps: int = 20) -> Trace:
    engine = Engine(model(MIXED))
    start = initial_start(engine.model, key="driven")
    run = Run(engine, Constant(start.state.ctrl), start, steps)
    return Recording(run, origin_of_model(engine.model), extras).trace()


def channels(trace: Trace) -> dict[str, list[str]]:
    return {
        each.name: [f"{c} [{u}]" for c, u in zip(each.columns, each.units, strict=True)]
        for each in trace.header.channels
    }


def test_names_and_units() -> None:
    found = channels(recorded("effort", "poses"))
    assert found["q"] == [
        "root.x [m]", "root.y [m]", "root.z [m]",
        "root.qw [1]", "root.qx [1]", "root.qy [1]", "root.qz [1]",
        "Shoulder-1 [rad]", "slide [m]",
    ]  # fmt: skip
    assert found["v"] == [
        "root.vx [m/s]", "root.vy [m/s]", "root.vz [m/s]",
        "root.wx [rad/s]", "root.wy [rad/s]", "root.wz [rad/s]",
        "Shoulder-1 [rad/s]", "slide [m/s]",
    ]  # fmt: skip
    assert found["ctrl"] == ["turn [N m]", "push [m]"]
    assert found["effort"][2:4] == ["root.vz [N]", "root.wx [N m]"]
    assert found["effort"][6:] == ["Shoulder-1 [N m]", "slide [N]"]
    assert found["poses"][7:10] == ["arm.x [m]", "arm.y [m]", "arm.z [m]"]
    assert len(found["poses"]) == 7 * 4


def test_the_base_is_told_where_the_file_leaves_it_open() -> None:
    """A URDF's root is fixed or floats by choice; an MJCF has a world, and says it itself."""
    assert "base" not in recorded().header.options
    for base in ("fixed", "floating"):
        robot = compile_model(sample("diff_drive.urdf").robot, base=base)
        engine = Engine(robot)
        start = initial_start(robot)
        run = Run(engine, Constant(start.state.ctrl), start, 1)
        assert Recording(run, origin_of_model(robot)).header().options["base"] == base


def test_the_state_alone_makes_the_digest() -> None:
    bare, rich = recorded(), recorded("effort", "poses")
    assert bare.header.digest == rich.header.digest
    states = [each.name for each in bare.header.channels if each.state]
    assert states == ["q", "v", "qacc_warmstart"]


def test_computed_channels() -> None:
    trace = recorded("effort", "poses")
    engine = Engine(model(MIXED))
    pulled = engine.model.actuator_forces_at(
        trace.values["ctrl"][7], trace.values["q"][7], trace.values["v"][7]
    )
    assert trace.values["effort"][7] == pytest.approx(pulled)
    X_WB = engine.model.kinematics(trace.values["q"][7]).bodies
    placed = trace.values["poses"][7].reshape(-1, 7)[:, :3]
    assert placed == pytest.approx(X_WB[:4, :3, 3])


def test_bodies_that_stand_still_are_frames_of_the_header() -> None:
    header = recorded("poses").header
    assert header.fixed_frames == {"shelf": (1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)}
    assert recorded().header.fixed_frames == {}


def test_the_table_of_joints() -> None:
    shoulder, slide = recorded().header.joints
    assert shoulder == {
        "name": "Shoulder-1", "type": "hinge", "unit": "rad",
        "lower": None, "upper": None, "q": 7, "v": 6,
    }  # fmt: skip
    assert (slide["name"], slide["type"], slide["unit"]) == ("slide", "slide", "m")
    limited = sample("cart_pole.urdf")
    run = Run(Engine(limited), Constant(np.zeros(2)), initial_start(limited), 0)
    first, second = Recording(run, origin_of_model(limited)).header().joints
    assert (first["name"], first["lower"], first["upper"]) == ("slide", -1.0, 1.0)
    assert (second["name"], second["lower"], second["upper"]) == ("hinge", None, None)


def test_the_header_is_complete_json() -> None:
    trace = recorded()
    document = json.loads(json.dumps(trace.header.to_json()))
    assert TraceHeader.from_json(document) == trace.header
    assert document["dt"] == 0.002
    assert document["integrator"] == "euler"
    options = document["options"]
    assert options["gravity"] == [0, 0, -9.81]
    assert (options["steps"], options["every"]) == (20, 1)
    assert options["control"] == {"kind": "constant", "ctrl": [0.2, 0.1]}
    assert document["initial_state"]["q"] == [0, 0, 1, 1, 0, 0, 0, 0.3, 0.05]
    assert document["complete"] is True


def test_the_origin_is_the_bytes_and_the_meaning() -> None:
    subject = sample("cart_pole.urdf")
    data = (SAMPLES / "cart_pole.urdf").read_bytes()
    origin = origin_of_model(subject, "cart_pole.urdf", data)
    assert origin.sha256 == hashlib.sha256(data).hexdigest()
    again = compile_model(Robot.from_json(subject.robot.to_json()))
    assert origin_of_model(again).canonical_sha256 == origin.canonical_sha256
    assert origin_of_model(sample("cart_pole.xml")).canonical_sha256 != origin.canonical_sha256
    rover = sample("diff_drive.urdf")
    tied = compile_model(rover.robot, base="fixed")
    assert origin_of_model(tied).canonical_sha256 != origin_of_model(rover).canonical_sha256


def test_meshes_that_matter_are_hashed(shared_corpus: object) -> None:
    from pathlib import Path

    from phyzctl.api import load

    path = next(Path(str(shared_corpus)).rglob("unitree_go2/go2.xml"), None)
    if path is None:
        pytest.skip("no robot with meshes")
    subject = compile_model(load(path))
    for name, digest in origin_of_model(subject).meshes.items():
        (mesh,) = (each for each in subject.robot.meshes if each.name == name)
        assert hashlib.sha256(Path(str(mesh.file)).read_bytes()).hexdigest() == digest


def test_viewers_get_the_robot_as_urdf() -> None:
    text = description(model(MIXED))
    assert text.startswith(("<?xml", "<robot"))
    assert 'name="tip"' in text


def test_an_unknown_channel() -> None:
    with pytest.raises(PhyzctlError, match=r"no channel 'pose' to add; did you mean 'poses'\?"):
        recorded("pose")
