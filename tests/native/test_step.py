"""Steps and rollouts: one step against MuJoCo's, motions in closed form, and where they stop."""

from __future__ import annotations

import math
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from phyzctl import native
from phyzctl.errors import PhyzctlError
from phyzctl.formats import read
from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.spatial import Array
from tests.native.mechanisms import CASES
from tests.native.smooth import Twins, all_scenes, quick_files, twins, twins_of

mujoco = pytest.importorskip("mujoco")

GATE = 1e-12


def compare(pair: Twins, integrators: tuple[str, ...]) -> None:
    for integrator in integrators:
        for q, v, ctrl in pair.states():
            M, dt = pair.mass_matrix(), pair.theirs.opt.timestep
            q_next, v_next = pair.step(integrator)
            made = native.rollout(
                pair.ours, q, v, ctrl[:, None], steps=1, dt=dt, integrator=integrator
            )
            error, change = made.v[0, 0] - v_next, v_next - v[0]
            allowed = (1e-10 if integrator == "rk4" else GATE) * math.sqrt(change @ M @ change)
            assert math.sqrt(error @ M @ error) <= allowed, integrator
            moved = np.abs(q_next - q[0]).max()
            if integrator != "rk4":
                assert_allclose(made.q[0, 0], q_next, rtol=1e-12, atol=1e-9 * moved)
            assert made.made[0] == 1


@pytest.mark.parametrize("path", quick_files())
def test_one_step_equals_mujocos(path: Path) -> None:
    compare(twins(path), ("euler", "implicitfast"))


@pytest.mark.slow
@pytest.mark.parametrize("path", all_scenes())
def test_one_step_equals_mujocos_on_every_robot(path: Path) -> None:
    compare(twins(path), ("euler", "implicitfast"))


@pytest.mark.parametrize("name", CASES)
def test_one_step_of_every_kind_of_force(name: str, tmp_path: Path) -> None:
    compare(twins_of(CASES[name], tmp_path), ("euler", "implicitfast", "rk4"))


PENDULUM = """
    <mujoco><worldbody><body><joint axis="0 1 0"/>
      <inertial pos="0 0 -1" mass="1" diaginertia="1e-9 1e-9 1e-9"/></body></worldbody></mujoco>"""


def period(dynamics: native.Dynamics, amplitude: float, dt: float) -> float:
    """Twice the time between turning points: where v crosses zero, by cubic interpolation."""
    steps = int(1.4 / dt)
    start = np.array([[amplitude]])
    made = native.rollout(
        dynamics, start, np.zeros((1, 1)), np.zeros((1, 1, 1)), steps=steps, dt=dt, integrator="rk4"
    )
    v = made.v[0, :, 0]
    last = int(np.flatnonzero((v[:-1] < 0.0) & (v[1:] >= 0.0))[0]) if (v >= 0).any() else 0
    around = np.arange(last - 3, last + 5)
    polynomial = np.polynomial.Polynomial.fit(v[around], (around + 1 - last) * dt, 7)
    return 2.0 * (last * dt + float(polynomial(0.0)))


def exact_period(amplitude: float, inertia: float) -> float:
    """By the arithmetic-geometric mean."""
    a, b = 1.0, math.cos(0.5 * amplitude)
    for _ in range(8):
        a, b = 0.5 * (a + b), math.sqrt(a * b)
    return 2.0 * math.pi * math.sqrt(inertia / 9.81) / a


def test_pendulum_period(tmp_path: Path) -> None:
    ours = twins_of(PENDULUM, tmp_path).ours
    expected = exact_period(0.5 * math.pi, 1.0 + 1e-9)
    assert abs(period(ours, 0.5 * math.pi, 0.001) / expected - 1.0) <= 2e-12
    errors = [abs(period(ours, 0.5 * math.pi, dt) / expected - 1.0) for dt in (0.008, 0.004, 0.002)]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert_allclose(orders, 4.0, atol=0.2)


TUMBLING = """
    <mujoco><option gravity="0 0 0"/><worldbody><body><freejoint/>
      <inertial pos=".1 -.2 .05" mass="2" diaginertia=".01 .02 .025"/></body></worldbody>
    </mujoco>"""


def test_tumbling_keeps_energy_and_momentum_to_fourth_order(tmp_path: Path) -> None:
    ours = twins_of(TUMBLING, tmp_path).ours
    q, v = np.array([[0.0, 0, 0, 1, 0, 0, 0]]), np.array([[0.1, 0.2, -0.3, 5.0, 0.5, -0.3]])
    losses = []
    for dt in (0.004, 0.002):
        steps = round(1.0 / dt)
        end = native.rollout(ours, q, v, np.zeros((1, 1, 6)), steps=steps, dt=dt, integrator="rk4")
        assert abs(float(np.linalg.norm(end.last_q[0, 3:])) - 1.0) <= 1e-15
        losses.append(abs(energy(ours, end.last_q, end.last_v) / energy(ours, q, v) - 1.0))
        # The momentum along z of the whole, and the speed of its centre of mass, stay.
        before, after = (momentum(ours, *state) for state in ((q, v), (end.last_q, end.last_v)))
        assert_allclose(after, before, rtol=1e-6, atol=1e-7)
    assert losses[0] <= 1e-7
    assert losses[1] <= losses[0] / 12.0


def energy(dynamics: native.Dynamics, q: Array, v: Array) -> float:
    (M,) = native.mass_matrix(dynamics, q)
    return 0.5 * float(v[0] @ M @ v[0])


def momentum(dynamics: native.Dynamics, q: Array, v: Array) -> Array:
    """Linear momentum in world axes: the rows of M that belong to the free joint's slides."""
    (M,) = native.mass_matrix(dynamics, q)
    rows: Array = M[:3] @ v[0]
    return rows


def test_double_pendulum_keeps_its_energy(tmp_path: Path) -> None:
    text = """<mujoco><worldbody><body><joint axis="0 1 0"/>
      <inertial pos="0 0 -1" mass="1" diaginertia=".1 .1 .1"/><body pos="0 0 -1">
      <joint axis="0 1 0"/><inertial pos="0 0 -1" mass="1" diaginertia=".1 .1 .1"/></body>
      </body></worldbody></mujoco>"""
    pair = twins_of(text, tmp_path)
    start = np.array([[2.0, 1.0]])
    made = native.rollout(
        pair.ours, start, np.zeros((1, 2)), np.zeros((1, 1, 2)), steps=5000, dt=0.001,
        integrator="rk4",
    )  # fmt: skip

    def total(q: Array, v: Array) -> float:
        heights = -2.0 * math.cos(q[0, 0]) - math.cos(q[0].sum())
        return energy(pair.ours, q, v) + 9.81 * heights

    before = total(start, np.zeros((1, 2)))
    assert abs(total(made.last_q, made.last_v) - before) <= 1e-8


@pytest.mark.parametrize("integrator", native.SMOOTH_INTEGRATORS)
def test_free_fall_in_closed_form(integrator: str, tmp_path: Path) -> None:
    """Semi-implicit steps fall g h t / 2 further than the parabola; RK4 follows it."""
    ours = twins_of(TUMBLING.replace('gravity="0 0 0"', ""), tmp_path).ours
    q, dt, steps = np.array([[0.0, 0, 0, 1, 0, 0, 0]]), 0.01, 100
    end = native.rollout(
        ours, q, np.zeros((1, 6)), np.zeros((1, 1, 6)), steps=steps, dt=dt, integrator=integrator
    )
    time = steps * dt
    more = 0.0 if integrator == "rk4" else 0.5 * 9.81 * dt * time
    assert_allclose(end.last_q[0, 2], -0.5 * 9.81 * time**2 - more, rtol=1e-13)
    assert_allclose(end.last_v[0, 2], -9.81 * time, rtol=1e-13)


def test_rollout_is_steps_one_by_one_with_control_row_by_row(tmp_path: Path) -> None:
    pair = twins_of(CASES["clamps"], tmp_path)
    rng = np.random.default_rng(4)
    q, v, ctrl = rng.normal(size=(3, 2)), rng.normal(size=(3, 2)), rng.normal(size=(3, 7, 4))
    made = native.rollout(pair.ours, q, v, ctrl, steps=7, dt=0.01, every=3)
    assert made.q.shape == (3, 2, 2)
    at_q, at_v = q, v
    for number in range(7):
        one = np.ascontiguousarray(ctrl[:, number : number + 1])
        step = native.rollout(pair.ours, at_q, at_v, one, steps=1, dt=0.01)
        at_q, at_v = step.last_q, step.last_v
        if number in (2, 5):
            assert made.q[:, number // 3].tobytes() == at_q.tobytes()
    assert made.last_q.tobytes() == at_q.tobytes()
    assert made.last_v.tobytes() == at_v.tobytes()


def test_applied_forces_add_to_the_motors(tmp_path: Path) -> None:
    ours = twins_of(PENDULUM, tmp_path).ours
    zero, force = np.zeros((1, 1)), np.array([[0.7]])
    by_ctrl = native.forward(ours, zero, zero, force)
    applied = native.forward(ours, zero, zero, zero, applied=force)
    assert by_ctrl.qacc.tobytes() == applied.qacc.tobytes()
    assert_allclose(by_ctrl.qacc, 0.7, rtol=1e-8)


@pytest.mark.parametrize("integrator", native.SMOOTH_INTEGRATORS)
@pytest.mark.parametrize("bad", [math.nan, math.inf, 1e200])
def test_a_rollout_stops_where_numbers_end(bad: float, integrator: str, tmp_path: Path) -> None:
    ours = twins_of(PENDULUM, tmp_path).ours
    ctrl = np.zeros((2, 6, 1))
    ctrl[0, 4] = bad
    start = np.array([[0.1], [0.1]])
    made = native.rollout(
        ours, start, np.zeros((2, 1)), ctrl, steps=6, dt=0.01, integrator=integrator
    )
    assert made.made.tolist() == [4, 6]
    assert np.isnan(made.q[0, 4:]).all()
    assert np.isfinite(made.q[0, :4]).all()
    assert np.isfinite(made.q[1]).all()
    assert made.last_q[0].tobytes() == made.q[0, 3].tobytes()
    assert made.last_v[0].tobytes() == made.v[1, 3].tobytes()


def test_threads_give_the_same_bits(tmp_path: Path) -> None:
    pair = twins_of(CASES["several joints"], tmp_path)
    q, v, ctrl = next(iter(pair.states(1)))

    def run() -> bytes:
        arguments: dict[str, Any] = {"steps": 200, "dt": 0.001, "integrator": "implicitfast"}
        return native.rollout(pair.ours, q, v, ctrl[:, None], **arguments).q.tobytes()

    results: list[bytes] = []
    threads = [threading.Thread(target=lambda: results.append(run())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [run()] * 4


BAD_PLANS: list[tuple[dict[str, Any], str]] = [
    ({"steps": 0}, "steps and every"),
    ({"every": 0}, "steps and every"),
    ({"dt": math.nan}, "dt must be finite"),
    ({"integrator": "leapfrog"}, "one of euler, implicitfast, rk4"),
    ({"ctrl": np.zeros((1, 2, 1))}, "1 or 5 rows"),
    ({"ctrl": np.zeros((1, 5, 2))}, "ctrl must have shape"),
    ({"v": np.zeros((2, 1))}, "v must have shape"),
]


@pytest.mark.parametrize(("change", "message"), BAD_PLANS)
def test_impossible_rollouts_are_refused(
    change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    given = {"q": np.zeros((1, 1)), "v": np.zeros((1, 1)), "ctrl": np.zeros((1, 1, 1))}
    with pytest.raises(ValueError, match=message):
        native.rollout(
            twins_of(PENDULUM, tmp_path).ours, **given | {"steps": 5, "dt": 0.1} | change
        )


UNCOVERED = [
    ('<actuator><muscle joint="a"/></actuator>', "lengths don't settle"),
    ('<actuator><general joint="a" gaintype="user"/></actuator>', "user law"),
    ('<actuator><general joint="a" dyntype="user"/></actuator>', "activation"),
    ('<tendon><fixed armature="1"><joint joint="a" coef="1"/></fixed></tendon>', "armature"),
    ('<tendon><spatial><site site="s"/><geom geom="g"/></spatial></tendon>', "path"),
    ('<default><joint damping="1 2"/></default>', "polynomial"),
]


@pytest.mark.parametrize(("text", "message"), UNCOVERED)
def test_what_is_not_covered_is_refused_by_name(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "model.xml"
    path.write_text(
        f'<mujoco>{text}<worldbody><body name="b"><joint name="a"/><geom name="g" size=".1"/>'
        '<site name="s" pos="1 0 0"/></body></worldbody></mujoco>'
    )
    robot = read(str(path), Issues()).robot
    assert robot is not None
    model = compiler.compile(robot)
    with pytest.raises(PhyzctlError, match=f"not simulated: .*{message}"):
        _ = model.dynamics


def test_what_is_set_reaches_the_dynamics(tmp_path: Path) -> None:
    path = tmp_path / "model.xml"
    path.write_text(PENDULUM)
    robot = read(str(path), Issues()).robot
    assert robot is not None
    model = compiler.compile(robot)
    q, v = np.array([[0.5 * math.pi]]), np.zeros((1, 1))
    assert_allclose(native.bias(model.dynamics, q, v), 9.81, rtol=1e-12)
    model.gravity = (0.0, 0.0, -1.0)
    assert_allclose(native.bias(model.dynamics, q, v), 1.0, rtol=1e-12)


@pytest.mark.parametrize("integrator", native.SMOOTH_INTEGRATORS)
def test_what_falls_through_a_medium_ends_at_its_closed_form(
    integrator: str, tmp_path: Path
) -> None:
    """A ball's box has sides s = sqrt(2.4) r: m g = 3 pi s eta v + rho s v s v / 2 against wind."""
    text = """<mujoco><option density="1.2" viscosity=".4" wind="0 0 1"/><worldbody><body>
      <freejoint/><geom size=".1" mass="2"/></body></worldbody></mujoco>"""
    ours = twins_of(text, tmp_path).ours
    side = math.sqrt(2.4) * 0.1
    linear, quadratic, weight = 3 * math.pi * side * 0.4, 0.6 * side**2, 2 * 9.81
    speed = (math.sqrt(linear**2 + 4 * quadratic * weight) - linear) / (2 * quadratic)
    q = np.array([[0.0, 0, 0, 1, 0, 0, 0]])
    end = native.rollout(
        ours, q, np.zeros((1, 6)), np.zeros((1, 1, 6)), steps=9000, dt=0.01, integrator=integrator
    )
    assert_allclose(end.last_v[0], [0, 0, 1 - speed, 0, 0, 0], rtol=1e-12)
