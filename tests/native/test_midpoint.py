"""The integrator `best`: what is conserved stays, what is stiff settles, and it is of second order.

Figures of MuJoCo beside ours are those of its default integrators on the same problems.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phyzctl import formats, native
from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.model.constraints import make_constraints
from phyzctl.model.contacts import make_contact_world
from phyzctl.model.dynamics import dynamics_arrays
from phyzctl.model.model import Model
from phyzctl.spatial import Array

STILL = '<option gravity="0 0 0"/>'
BOX = (
    f'<mujoco>{STILL}<worldbody><body pos="0 0 1"><freejoint/>'
    '<inertial pos="{com}" mass="10" diaginertia="{inertia}"/></body></worldbody></mujoco>'
)
# Of a box of 0.1 x 0.4 x 0.9 m and 10 kg.
SIDES = 10 / 12 * np.array([0.4**2 + 0.9**2, 0.1**2 + 0.9**2, 0.1**2 + 0.4**2])


class Moving:
    """A model that moves by one integrator; wider than a test's doors need to be."""

    def __init__(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / "model.xml"
        path.write_text(text)
        robot = formats.read(str(path), Issues()).robot
        assert robot is not None
        self.model: Model = compiler.compile(robot)
        self.dynamics = native.Dynamics(self.model.system, **dynamics_arrays(self.model))
        self.constraints = make_constraints(self.model, self.dynamics)
        self.contacts = make_contact_world(self.model)

    def run(
        self,
        v: Any = None,
        *,
        q: Any = None,
        dt: float,
        steps: int,
        ctrl: Any = None,
        every: int = 1,
        integrator: str = "best",
    ) -> native.Simulated:
        ours = native.Simulation(self.constraints, self.contacts, dt=dt, integrator=integrator)
        nv = self.dynamics.nv
        q = self.model.arrays.q_reference if q is None else np.asarray(q, dtype=float)
        v = np.zeros(nv) if v is None else np.asarray(v, dtype=float)
        ctrl = np.zeros(self.dynamics.nctrl) if ctrl is None else np.asarray(ctrl, dtype=float)
        start = native.States(q[None], v[None], np.zeros((1, 0)), np.zeros((1, nv)))
        return ours.run(start, native.Acting(ctrl[None, None]), steps=steps, every=every)

    def kinetic(self, q: Array, v: Array) -> Array:
        M = native.mass_matrix(self.dynamics, np.ascontiguousarray(q))
        energy: Array = 0.5 * np.einsum("ni,nij,nj->n", v, M, v)
        return energy


def turned(q: Array, x: Array) -> Array:
    """Vectors x (n, 3) by quaternions w x y z (n, 4)."""
    axis = q[:, 1:]
    twice = 2.0 * np.cross(axis, x)
    return x + q[:, :1] * twice + np.cross(axis, twice)


@pytest.mark.parametrize("com", ["0 0 0", "0.1 -0.2 0.3"])
def test_a_tumbling_box_keeps_energy_and_momentum(com: str, tmp_path: Path) -> None:
    """10 s at 4 ms about an unstable axis: MuJoCo loses 5 % of either."""
    box = Moving(tmp_path, BOX.format(com=com, inertia=" ".join(map(str, SIDES))))
    done = box.run([-0.9, 0.4, 0.1, 0.1, 5.0, 0.1], dt=0.004, steps=2500)
    q, v = done.states.q[0], done.states.v[0]
    momentum = turned(q[:, 3:], SIDES * v[:, 3:])  # about the centre of mass
    energy = box.kinetic(q, v)
    size = np.linalg.norm(momentum[0])
    assert np.abs(momentum - momentum[0]).max() < 1e-11 * size
    assert np.abs(energy / energy[0] - 1.0).max() < 1e-5
    r = np.array([[float(x) for x in com.split()]])
    centre = q[:, :3] + turned(q[:, 3:], np.repeat(r, len(q), axis=0))
    travelled = np.diff(centre, axis=0) / 0.004
    np.testing.assert_allclose(travelled, np.repeat(travelled[:1], len(travelled), 0), atol=1e-9)


def test_a_heavy_top_precesses_at_its_rate(tmp_path: Path) -> None:
    """At 200 rad/s and 1 ms, where MuJoCo's defaults end in infinity after 1.07 s."""
    top = Moving(
        tmp_path,
        '<mujoco><worldbody><body><joint type="ball"/>'
        '<inertial pos="0 0 .5" mass="1" diaginertia=".05 .05 .02"/></body></worldbody></mujoco>',
    )
    tilt, spin, arm, g = np.radians(30.0), 200.0, 0.5, 9.81
    across, along = 0.05 + arm**2, 0.02
    # Steady precession w: across w^2 cos - along spin w + m g arm = 0, the slower root.
    a, b, c = across * np.cos(tilt), -along * spin, g * arm
    rate = (-b - np.sqrt(b * b - 4 * a * c)) / (2 * a)
    q = [np.cos(tilt / 2), 0.0, np.sin(tilt / 2), 0.0]
    # World precession about z, plus spin about the body's axis; spin is the total rate along it.
    v = [-rate * np.sin(tilt), 0.0, spin]
    steps = 2000
    done = top.run(v, q=q, dt=0.001, steps=steps)
    axis = turned(done.states.q[0], np.repeat([[0.0, 0.0, 1.0]], steps, axis=0))
    angle = np.unwrap(np.arctan2(axis[:, 1], axis[:, 0]))
    assert np.polyfit(np.arange(steps) * 0.001, angle, 1)[0] == pytest.approx(rate, rel=1e-4)
    assert np.abs(np.arccos(axis[:, 2]) - tilt).max() < 1e-4


CHAIN_JOINT = '<joint type="hinge" axis="0 1 0"/>'


def chain() -> str:
    """Five rods of 0.5 m and 1 kg in a row, free in the plane, no gravity."""
    links = ""
    for _ in range(4):
        links = (
            f'<body pos=".5 0 0">{CHAIN_JOINT}<geom type="capsule" fromto="0 0 0 .5 0 0" '
            f'size=".05" mass="1" contype="0" conaffinity="0"/>{links}</body>'
        )
    base = (
        '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>'
        + CHAIN_JOINT
        + '<geom type="capsule" fromto="0 0 0 .5 0 0" size=".05" mass="1" contype="0"/>'
    )
    return f"<mujoco>{STILL}<worldbody><body>{base}{links}</body></worldbody></mujoco>"


def test_a_planar_chain_keeps_its_energy(tmp_path: Path) -> None:
    """10 s at 1 ms; MuJoCo's Euler is off by 6.7e-3 at most."""
    moving = Moving(tmp_path, chain())
    done = moving.run([0, 0, 1, -4, 3, 5, -6], dt=0.001, steps=10_000, every=10)
    energy = moving.kinetic(done.states.q[0], done.states.v[0])
    assert np.abs(energy / energy[0] - 1.0).max() < 1e-4


def test_it_is_of_second_order(tmp_path: Path) -> None:
    """Against Runge-Kutta at a sixteenth of the step, half the step has a quarter of the error."""
    moving = Moving(tmp_path, chain())
    v = [0, 0, 1, -4, 3, 5, -6]
    true = moving.run(v, dt=0.00025, steps=2000, integrator="rk4").last.q[0]
    errors = [
        np.abs(moving.run(v, dt=dt, steps=round(0.5 / dt)).last.q[0] - true).max()
        for dt in (0.004, 0.002, 0.001)
    ]
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.2)
    assert errors[1] / errors[2] == pytest.approx(4.0, rel=0.2)


SERVO = (
    '<mujoco><option timestep=".002"/><worldbody><body><joint name="j" axis="0 1 0"/>'
    '<inertial pos="0 0 -.1" mass="1" diaginertia=".01 .01 .01"/></body></worldbody>'
    '<actuator><position joint="j" kp="{kp}" kv="{kv}" {limit}/></actuator></mujoco>'
)


@pytest.mark.parametrize("limit", ["", 'forcerange="-5 5"', 'forcerange="-3 9"'])
@pytest.mark.parametrize("kp", [1e2, 1e4, 1e6, 1e8])
def test_servos_settle_whatever_their_gain(kp: float, limit: str, tmp_path: Path) -> None:
    """Critically damped as it says, for 4 s at 2 ms; MuJoCo's Euler holds up to 1e3."""
    kv = 2.0 * np.sqrt(kp * 0.02)
    arm = Moving(tmp_path, SERVO.format(kp=kp, kv=kv, limit=limit))
    done = arm.run(dt=0.002, steps=2000, ctrl=[0.8])
    q, v = done.states.q[0, :, 0], done.states.v[0, :, 0]
    # At rest the servo carries the weight: kp (0.8 - q) = m g l sin q.
    assert kp * (0.8 - q[-1]) == pytest.approx(0.981 * np.sin(q[-1]), abs=1e-6 * kp)
    assert np.abs(v[-100:]).max() < 1e-3
    if limit:
        weight = 0.981 * np.sin(q[:-1])
        push = np.diff(v) / 0.002 * 0.02
        allowed = [float(x) for x in limit.split('"')[1].split()]
        assert (push + weight).min() > allowed[0] - 0.02
        assert (push + weight).max() < allowed[1] + 0.02


def test_a_stiff_spring_is_not_felt_at_all(tmp_path: Path) -> None:
    """1e8 N/m on 1 kg: an explicit step would explode a million times over."""
    text = (
        '<mujoco><worldbody><body><joint type="slide" axis="0 0 1" stiffness="1e8" damping="10"/>'
        '<geom size=".1" mass="1" contype="0"/></body></worldbody></mujoco>'
    )
    done = Moving(tmp_path, text).run(dt=0.002, steps=5000)
    assert done.made[0] == 5000
    assert np.abs(done.states.q[0, -10:]).max() < 1e-5


def test_a_box_rests_on_the_floor(tmp_path: Path) -> None:
    text = (
        '<mujoco><worldbody><geom type="plane" size="1 1 .1"/><body pos="0 0 .15"><freejoint/>'
        '<geom type="box" size=".1 .1 .1" mass="1"/></body></worldbody></mujoco>'
    )
    done = Moving(tmp_path, text).run(dt=0.002, steps=2000)
    q, v = done.states.q[0], done.states.v[0]
    # Four contacts of 1 kg, whatever the mass: 0.108 mm deep.
    assert q[-1, 2] == pytest.approx(0.1 - 1.08e-4, abs=2e-6)
    assert np.abs(v[-100:]).max() < 1e-6
    assert q[-1, 3] == pytest.approx(1.0, abs=1e-9)


def test_the_bias_changes_with_the_velocity_as_it_says(tmp_path: Path) -> None:
    """The bias is quadratic in v, so differences over any step are its derivative."""
    path = Path(__file__).parents[2] / "sample_robots" / "humanoid.xml"
    moving = Moving(tmp_path, path.read_text())
    rng = np.random.default_rng(2)
    q = moving.model.arrays.q_reference + 0.3 * rng.normal(size=(1, moving.model.nq))
    v = rng.normal(size=(1, moving.dynamics.nv))
    found = native.bias_derivative(moving.dynamics, q, v)[0]
    for column, step in enumerate(np.eye(moving.dynamics.nv)):
        above, below = (native.bias(moving.dynamics, q, v + sign * step[None]) for sign in (1, -1))
        np.testing.assert_allclose(found[:, column], 0.5 * (above - below)[0], rtol=0, atol=1e-10)
