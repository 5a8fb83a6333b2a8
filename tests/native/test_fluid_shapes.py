"""Ellipsoids in a medium: forces and steps as MuJoCo's, and closed forms."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from phyzctl import native
from phyzctl.model.dynamics import dynamics_arrays
from phyzctl.spatial import Array
from tests.native.smooth import Twins, twins_of
from tests.native.test_dynamics import norm

mujoco = pytest.importorskip("mujoco")

FORCE, STEP = 1e-12, 1e-12
MEDIA = {
    "air and wind": 'density="1.2" viscosity="1.8e-5" wind="1 2 3"',
    "oil": 'density="900" viscosity=".3" wind="-.2 0 .1"',
    "no viscosity": 'density="1000"',
    "no density": 'viscosity="4"',
}
# All kinds of shapes, several on a body, some beside others that aren't any, and bodies without.
SWIMMER = """<mujoco><option timestep=".004" {medium}/>
  <default><geom fluidshape="ellipsoid"/></default><worldbody>
  <geom type="box" size=".1 .1 .1" pos="0 0 -3"/>
  <body pos="0 0 1"><freejoint/>
    <geom type="ellipsoid" size=".1 .2 .3" pos=".1 0 .1" euler="10 20 30"
      fluidcoef=".4 .3 1 .8 1.2"/><geom type="box" size=".1 .2 .05" pos="0 .3 0" fluidcoef=".9"/>
    <body pos=".3 0 0"><joint axis="0 1 0" damping=".1"/>
      <geom type="capsule" size=".05 .2" euler="40 0 10" pos=".1 0 0"/>
      <geom size=".1" pos=".2 .1 0" fluidshape="none"/>
      <body pos="0 .2 .2"><joint type="ball"/>
        <geom type="cylinder" size=".06 .1" mass=".4" fluidcoef="0 0 0 2 3"/></body>
      <body pos="0 0 .3"><joint axis="1 0 0"/><joint type="slide" axis="1 1 0"/>
        <geom type="box" size=".1 .05 .2" fluidshape="none" pos="0 .1 0"/></body></body></body>
  <body pos="2 0 0"><joint axis="0 0 1"/><geom size=".1" pos=".4 0 0"/>
    <body pos=".5 0 0"><geom type="ellipsoid" size=".2 .02 .1"/></body></body>
  </worldbody></mujoco>"""
every_medium = pytest.mark.parametrize("medium", MEDIA.values(), ids=MEDIA)


@pytest.fixture
def swimmer(medium: str, tmp_path: Path) -> Twins:
    return twins_of(SWIMMER.format(medium=medium), tmp_path)


@every_medium
def test_forces_equal_mujocos(swimmer: Twins) -> None:
    for q, v, ctrl in swimmer.states(40):
        theirs = swimmer.data.qfrc_passive.copy()
        (ours,) = native.forward(swimmer.ours, q, v, ctrl).passive
        assert_allclose(ours, theirs, rtol=0, atol=FORCE * np.abs(theirs).max())


@every_medium
@pytest.mark.parametrize("integrator", native.SMOOTH_INTEGRATORS)
def test_steps_equal_mujocos(swimmer: Twins, integrator: str) -> None:
    for q, v, ctrl in swimmer.states(20):
        M = swimmer.mass_matrix()
        _, v_next = swimmer.step(integrator)
        made = native.rollout(
            swimmer.ours, q, v, ctrl[:, None], steps=1, dt=0.004, integrator=integrator
        )
        assert norm(made.v[0, 0] - v_next, M) <= STEP * norm(v_next - v[0], M)


@every_medium
@pytest.mark.parametrize("speed", ["none", "turning", "sliding"])
def test_what_stands_still_feels_nothing_odd(swimmer: Twins, speed: str) -> None:
    """Where speeds vanish, so do forces, and no step is lost to a division by zero."""
    v = np.zeros((1, swimmer.ours.nv))
    v[0, 0 if speed == "sliding" else 5] = 0.0 if speed == "none" else 1.0
    q = np.array(swimmer.theirs.qpos0)[None]
    made = native.rollout(
        swimmer.ours, q, v, np.zeros((1, 1, swimmer.ours.nv)), steps=1, dt=0.004,
        integrator="implicitfast",
    )  # fmt: skip
    data = swimmer.data
    mujoco.mj_resetData(swimmer.theirs, data)
    data.qvel[:] = v[0]
    _, v_next = swimmer.step("implicitfast")
    assert_allclose(made.v[0, 0], v_next, atol=1e-11)


BALL = """<mujoco><option {medium}/><worldbody><body><freejoint/>
  <geom size=".1" mass="2" fluidshape="ellipsoid"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("integrator", native.SMOOTH_INTEGRATORS)
def test_a_ball_sinks_at_stokes_speed(integrator: str, tmp_path: Path) -> None:
    """m g = 6 pi r eta v."""
    ours = twins_of(BALL.format(medium='viscosity="9"'), tmp_path).ours
    assert_allclose(sunk(ours, integrator), 2 * 9.81 / (6 * math.pi * 0.1 * 9), rtol=1e-12)


@pytest.mark.parametrize("integrator", native.SMOOTH_INTEGRATORS)
def test_a_ball_falls_as_fast_as_its_section_lets_it(integrator: str, tmp_path: Path) -> None:
    """m g = C rho A v²: with a coefficient of 0.5 twice what textbooks put there."""
    ours = twins_of(BALL.format(medium='density="1.2"'), tmp_path).ours
    expected = math.sqrt(2 * 9.81 / (0.5 * 1.2 * math.pi * 0.1**2))
    assert_allclose(sunk(ours, integrator), expected, rtol=1e-12)


def sunk(ours: native.Dynamics, integrator: str) -> float:
    q = np.array([[0.0, 0, 0, 1, 0, 0, 0]])
    end = native.rollout(
        ours, q, np.zeros((1, 6)), np.zeros((1, 1, 6)), steps=20000, dt=0.01, integrator=integrator
    )
    assert_allclose(np.delete(end.last_v[0], 2), 0.0, atol=1e-12)
    return -float(end.last_v[0, 2])


def test_a_spinning_ball_is_lifted_by_its_own_volume(tmp_path: Path) -> None:
    """Magnus: rho V w x v, less what the moved half of its volume pushes back."""
    pair = twins_of(BALL.format(medium='density="1000"'), tmp_path)
    v: Array = np.array([[3.0, 0, 0, 0, 0, 5.0]])
    q = np.array([[0.0, 0, 0, 1, 0, 0, 0]])
    (force,) = native.forward(pair.ours, q, v, np.zeros((1, 6))).passive
    volume = 4 / 3 * math.pi * 0.1**3
    assert_allclose(force[1], 1000 * volume * (1.0 - 0.5) * 3 * 5, rtol=1e-5)


def test_a_shape_of_no_body_is_refused(tmp_path: Path) -> None:
    pair = twins_of(BALL.format(medium='density="1"'), tmp_path)
    arrays = dynamics_arrays(pair.model)
    for body in (-1, 1):
        with pytest.raises(ValueError, match="shape_body"):
            native.Dynamics(
                pair.model.system, **arrays | {"shape_body": np.array([body], np.int32)}
            )
