"""What drives a run."""

from __future__ import annotations

import json

import numpy as np
import pytest

from phyzctl.errors import NotFoundError, PhyzctlError
from phyzctl.model.state import State
from phyzctl.sim.control import Callback, Constant, Sine, Table, control_names, control_number
from phyzctl.sim.engine import Engine
from phyzctl.sim.simulator import as_control
from tests.sim.robots import MIXED, PENDULUM, model, sample

STATE = model(MIXED).default_state()
KNOTS, ROWS = np.array([0.0, 0.1, 0.3]), np.array([[0.0, 5.0], [1.0, 5.0], [3.0, -5.0]])


def test_controls_are_called_after_actuators_or_else_degrees_of_freedom() -> None:
    assert control_names(model(MIXED)) == ["turn", "push"]
    assert control_names(sample("cart_pole.urdf")) == ["slide", "hinge"]
    free = control_names(sample("quadrotor.urdf"))
    assert free[0].endswith(".vx")
    assert free[5].endswith(".wz")


def test_a_control_by_name() -> None:
    assert control_number(model(MIXED), "push") == 1
    with pytest.raises(NotFoundError, match=r"no actuator named 'puhs'; did you mean 'push'\?"):
        control_number(model(MIXED), "puhs")
    with pytest.raises(NotFoundError, match="no degree of freedom named 'x'; there are hinge"):
        control_number(model(PENDULUM), "x")


HELD = {-1.0: 0.0, 0.0: 0.0, 0.099: 0.0, 0.1 - 1e-13: 1.0, 0.1: 1.0, 0.2: 1.0, 0.3: 3.0, 9.0: 3.0}


@pytest.mark.parametrize(("time", "value"), HELD.items())
def test_a_table_holds_its_last_row(time: float, value: float) -> None:
    assert Table(KNOTS, ROWS).at(np.array([time]), STATE)[0, 0] == value


STRAIGHT = {-1.0: 0.0, 0.05: 0.5, 0.1: 1.0, 0.2: 2.0, 0.3: 3.0, 9.0: 3.0}


@pytest.mark.parametrize(("time", "value"), STRAIGHT.items())
def test_a_table_goes_straight(time: float, value: float) -> None:
    found = Table(KNOTS, ROWS, linear=True).at(np.array([time]), STATE)
    assert found[0, 0] == pytest.approx(value)


def test_a_sine_starts_at_its_offset() -> None:
    wave = Sine(np.array([1.0]), np.array([0.5]), np.array([2.0]), start=3.0)
    times = np.array([3.0, 3.125, 3.25, 3.375])
    assert wave.at(times, STATE)[:, 0] == pytest.approx([1.0, 1.5, 1.0, 0.5])


def test_a_sine_does_not_depend_on_how_many_times_are_asked_for_at_once() -> None:
    wave = Sine(np.array([0.0, 1.0]), np.array([1.0, 2.0]), np.array([3.0, 7.0]))
    times = np.linspace(0.0, 5.0, 101)
    single = [wave.at(times[i : i + 1], STATE)[0] for i in range(101)]
    assert wave.at(times, STATE).tobytes() == np.array(single).tobytes()


def test_a_function_is_asked_with_time_and_state() -> None:
    asked = []

    def control(time: float, state: object) -> list[float]:
        asked.append((time, state))
        return [1.0, 2.0]

    callback = Callback(control, 2)
    assert callback.at(np.array([0.5]), STATE).tolist() == [[1.0, 2.0]]
    ((time, state),) = asked
    assert time == 0.5
    assert state is not STATE
    with pytest.raises(PhyzctlError, match=r"must return \(3,\) numbers, not \(2,\)"):
        Callback(control, 3).at(np.array([0.5]), STATE)


def standing(time: float, state: State) -> list[float]:
    return [0.0]


DESCRIBED = {
    "constant": (Constant(np.array([1.0])), {"kind": "constant", "ctrl": [1.0]}),
    "sine": (
        Sine(np.array([1.0]), np.array([0.5]), np.array([2.0])),
        {"kind": "sine", "offset": [1.0], "amplitude": [0.5], "frequency": [2.0], "start": 0.0},
    ),
    "function": (Callback(standing, 1), {"kind": "function", "name": "standing"}),
}


@pytest.mark.parametrize(("control", "words"), DESCRIBED.values(), ids=DESCRIBED)
def test_controls_describe_themselves(control: Constant, words: dict[str, object]) -> None:
    assert json.loads(json.dumps(control.describe())) == words


def test_a_table_is_known_by_the_hash_of_its_numbers() -> None:
    one, other = Table(KNOTS, ROWS).describe(), Table(KNOTS, ROWS + 1e-9).describe()
    assert (one["kind"], one["between"], len(one["sha256"])) == ("table", "step", 64)
    assert one["sha256"] != other["sha256"]


def test_whatever_drives_a_run_becomes_a_control() -> None:
    engine = Engine(model(MIXED))
    assert isinstance(as_control([1.0, 2.0], STATE, engine, 5), Constant)
    assert isinstance(as_control(lambda *_: [0.0, 0.0], STATE, engine, 5), Callback)
    rows = np.arange(10.0).reshape(5, 2)
    table = as_control(rows, STATE, engine, 5)
    times = 0.002 * np.arange(5, dtype=np.float64)
    assert np.array_equal(table.at(times, STATE), rows)
    assert as_control(table, STATE, engine, 5) is table
    for wrong in ([1.0], np.zeros((4, 2)), np.zeros((5, 3)), np.zeros((5, 2, 1))):
        with pytest.raises(PhyzctlError, match="control must have the shape"):
            as_control(wrong, STATE, engine, 5)
