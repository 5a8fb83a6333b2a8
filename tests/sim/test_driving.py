"""Controls as a command line asks for them: tables, sines, and what a header says of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from phyzctl.errors import NotFoundError, PhyzctlError, UnreadableError
from phyzctl.sim.control import Constant, Control, Sine, Table
from phyzctl.sim.controlfile import load_controls
from phyzctl.sim.driving import Driving, described_control
from phyzctl.sim.engine import Engine
from phyzctl.sim.run import Run
from phyzctl.sim.simulator import simulate
from phyzctl.sim.sines import sine_control
from phyzctl.sim.start import initial_start
from phyzctl.trace.files import write_trace
from tests.sim.robots import MIXED, PENDULUM, model, sample

SUBJECT = model(MIXED)
BASE = np.array([0.5, 0.25])
STATE = SUBJECT.default_state()


def at(control: Control, time: float) -> list[float]:
    return list(control.at(np.array([time]), STATE)[0])


# Tables


def test_a_csv_names_actuators_in_any_order(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_text("push, time\n0.1, 0\n0.2, 0.5\n\n")
    table = load_controls(str(path), SUBJECT, BASE)
    assert (at(table, 0.0), at(table, 0.7)) == ([0.5, 0.1], [0.5, 0.2])
    straight = load_controls(str(path), SUBJECT, BASE, linear=True)
    assert at(straight, 0.25) == pytest.approx([0.5, 0.15])


@pytest.mark.parametrize("suffix", [".csv", ".npz"])
def test_the_controls_of_a_trace_drive_another_run(tmp_path: Path, suffix: str) -> None:
    wave = Sine(BASE, BASE, np.array([3.0, 1.0]))
    trace = simulate(SUBJECT, steps=200, control=wave)
    write_trace(trace, tmp_path / f"t{suffix}")
    table = load_controls(str(tmp_path / f"t{suffix}"), SUBJECT, BASE)
    again = simulate(SUBJECT, steps=200, control=table)
    assert again.header.digest == trace.header.digest


def test_an_npz_of_arrays_by_name(tmp_path: Path) -> None:
    path = tmp_path / "c.npz"
    np.savez(path, t=[0.0, 1.0], turn=[1.0, 2.0])
    assert at(load_controls(str(path), SUBJECT, BASE), 1.0) == [2.0, 0.25]


FAULTS = {
    "no time": ("turn,push\n0,1\n", r"c\.csv:1: no column is called time"),
    "empty": ("", r"c\.csv:1: no column"),
    "no rows": ("time,turn\n", "its times must be numbers that grow, at least one"),
    "word": ("time,turn\n0,1\n1,fast\n", r"c\.csv:3: 'fast' is no number"),
    "nan": ("time,turn\n0,nan\n", r"c\.csv:2: 'nan' is not finite"),
    "short": ("time,turn\n0\n", r"c\.csv:2: 1 numbers for 2 columns"),
    "backwards": ("time,turn\n1,1\n0,1\n", "its times must be numbers that grow"),
    "bytes": ("time,turn\n0,\udcff\n", "c.csv"),
}


@pytest.mark.parametrize(("text", "message"), FAULTS.values(), ids=FAULTS)
def test_faulty_tables_are_refused_with_their_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "c.csv"
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(UnreadableError, match=message):
        load_controls(str(path), SUBJECT, BASE)


def test_tables_that_can_not_be(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="there is no file of controls"):
        load_controls(str(tmp_path / "c.csv"), SUBJECT, BASE)
    (tmp_path / "c.csv").write_text("time,trun\n0,1\n")
    with pytest.raises(NotFoundError, match=r"no actuator named 'trun'; did you mean 'turn'\?"):
        load_controls(str(tmp_path / "c.csv"), SUBJECT, BASE)
    (tmp_path / "c.txt").write_text("")
    with pytest.raises(PhyzctlError, match=r"controls are \.csv or \.npz"):
        load_controls(str(tmp_path / "c.txt"), SUBJECT, BASE)
    (tmp_path / "c.npz").write_text("no zip")
    with pytest.raises(UnreadableError):
        load_controls(str(tmp_path / "c.npz"), SUBJECT, BASE)
    for arrays in ({"a": [1.0]}, {"time": [0.0], "ctrl": [[1.0]]}, {"time": [0.0], "turn": [1, 2]}):
        np.savez(tmp_path / "c.npz", **arrays)
        with pytest.raises(UnreadableError):
            load_controls(str(tmp_path / "c.npz"), SUBJECT, BASE)


# Sines


def test_sines_by_name_and_pattern() -> None:
    wave = sine_control(SUBJECT, ["turn=0.1,2", "p*=0.2,5,1"], Constant(BASE), 3.0)
    assert wave.offset.tolist() == [0.5, 1.0]
    assert wave.amplitude.tolist() == [0.1, 0.2]
    assert wave.frequency.tolist() == [2.0, 5.0]
    assert wave.start == 3.0
    assert sine_control(SUBJECT, ["*=1,1"], Constant(BASE), 0.0).amplitude.tolist() == [1, 1]


@pytest.mark.parametrize(
    "text", ["turn", "turn=", "turn=1", "turn=1,x", "turn=1,2,3,4", "turn=inf,1"]
)
def test_sines_said_otherwise(text: str) -> None:
    with pytest.raises(PhyzctlError, match="a sine is NAME=AMPLITUDE,HZ"):
        sine_control(SUBJECT, [text], Constant(BASE), 0.0)
    with pytest.raises(NotFoundError, match="did you mean 'turn'"):
        sine_control(SUBJECT, ["trun=1,1"], Constant(BASE), 0.0)


# What goes together, and what a header says


def test_the_start_drives_when_nothing_is_asked_for() -> None:
    engine = Engine(SUBJECT)
    control = Driving().control(engine, initial_start(SUBJECT, key="driven"))
    assert isinstance(control, Constant)
    assert at(control, 0.0) == [0.2, 0.1]


def test_sines_swing_about_a_pose_that_servos_hold() -> None:
    arm = sample("six_axis_arm.xml")
    start = initial_start(arm, q={"elbow": 0.3})
    wave = Driving(hold=True, sines=["elbow*=0.1,1"]).control(Engine(arm), start)
    assert isinstance(wave, Sine)
    held = Driving(hold=True).control(Engine(arm), start)
    assert wave.offset.tolist() == held.at(np.zeros(1), start.state)[0].tolist()
    assert 0.3 in wave.offset.tolist()


def test_sines_push_what_motors_hold() -> None:
    """A pendulum held by a torque swings as far as that law and the push on top allow."""
    subject = model(PENDULUM)
    engine, start = Engine(subject), initial_start(subject, q={"hinge": 0.3})
    wave = Driving(hold=True, sines=["hinge=0.5,0.1"]).control(engine, start)
    assert isinstance(wave, Sine)
    run = Run(engine, wave, start, 2500)  # a quarter of the period: slow, so always at rest
    *_, last = run.blocks()
    away = float(last.values["q"][0, 0]) - 0.3
    # A bob of 1 kg at 1 m: its weight pulls by -g cos q about the axis, and less further down.
    lighter = 9.81 * (np.cos(0.3 + away) - np.cos(0.3))
    assert (2.0 * np.pi * 5.0) ** 2 * away - lighter == pytest.approx(0.5, rel=0.01)


def test_what_does_not_go_together(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text("time,turn\n0,1\n")
    table, engine, start = str(tmp_path / "c.csv"), Engine(SUBJECT), initial_start(SUBJECT)
    for driving in (
        Driving(hold=True, table=table),
        Driving(table=table, sines=["turn=1,1"]),
    ):
        with pytest.raises(PhyzctlError):
            driving.control(engine, start)


def test_a_control_is_made_again_from_what_it_says(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text("time,turn\n0,0.1\n0.1,0.2\n")
    path, engine = str(tmp_path / "c.csv"), Engine(SUBJECT)
    start = initial_start(SUBJECT, key="driven")
    for driving in (
        Driving(),
        Driving(hold=True),
        Driving(table=path),
        Driving(table=path, linear=True),
        Driving(sines=["*=0.1,2"]),
        Driving(hold=True, sines=["*=0.1,2"]),
    ):
        first = driving.control(engine, start)
        again = described_control(engine, start, first.describe())
        assert again.describe() == first.describe()
        assert str(again.feedback) == str(first.feedback)
        assert (first.feedback is not None) == driving.hold
        for time in (0.0, 0.05, 0.2):
            times = np.array([time])
            assert np.array_equal(again.at(times, start.state), first.at(times, start.state))


def test_controls_that_can_not_be_made_again(tmp_path: Path) -> None:
    engine, start = Engine(SUBJECT), initial_start(SUBJECT)
    for words, message in (
        ({"kind": "function", "name": "f"}, "a function can't be made again"),
        (Table(np.zeros(1), np.zeros((1, 2))).describe(), "a table can't be made again"),
        ({}, "damaged"),
        ({"kind": "sine"}, "damaged"),
        ({"kind": "constant", "ctrl": [1.0]}, "states 1 controls, the robot has 2"),
    ):
        with pytest.raises(PhyzctlError, match=message):
            described_control(engine, start, words)
    path = tmp_path / "c.csv"
    path.write_text("time,turn\n0,0.1\n")
    words = load_controls(str(path), SUBJECT, BASE).describe()
    path.write_text("time,turn\n0,0.2\n")
    with pytest.raises(PhyzctlError, match="are others than those of the trace"):
        described_control(engine, start, words)
