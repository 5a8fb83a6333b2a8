"""Muscles as MuJoCo's: forces, activations and steps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from phyzctl import native
from phyzctl.spatial import Array
from tests.corpus import robot_params
from tests.native.smooth import Twins, twins, twins_of
from tests.native.test_solver import norm

mujoco = pytest.importorskip("mujoco")

FORCE, STEP = 1e-10, 1e-12

BY_HAND = ".7 1.2 300 0 .4 1.7 1.1 1.6 1.3"
ARM = """<mujoco><option {option}/><worldbody><site name="w" pos="0 -.1 .4"/>
  <body pos="0 0 .5"><joint name="a" axis="0 1 0" damping=".1" armature=".01"/>
    <geom type="capsule" fromto="0 0 0 .4 0 0" size=".04"/><site name="s" pos=".2 .05 .04"/>
    <body pos=".4 0 0"><joint name="b" axis="0 1 0"/><joint name="c" type="slide" axis="1 0 0"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/><site name="t" pos=".1 -.03 .05"/>
      <geom name="post" type="cylinder" size=".05 .1" euler="90 0 0" contype="0"/></body></body>
  </worldbody><tendon><spatial name="cord"><site site="w"/><site site="s"/><geom geom="post"/>
    <site site="t"/></spatial><fixed name="sum"><joint joint="a" coef="1"/>
    <joint joint="b" coef="-.5"/></fixed></tendon>
  <actuator>{actuators}</actuator></mujoco>"""
ACTUATORS = {
    "default": '<muscle joint="a" lengthrange="-1 1"/>',
    "on cords": '<muscle tendon="cord" lengthrange=".3 .8" scale="20"/>'
    '<muscle tendon="sum" gear="-2" lengthrange="-2 1" force="30" range=".5 1.3"/>',
    "own curves": '<muscle joint="c" lengthrange="-.4 .5" lmin=".3" lmax="1.9" vmax="3" fpmax="2"'
    ' fvmax="1.5" timeconst=".02 .03" tausmooth=".4"/>',
    "strong": '<muscle tendon="cord" lengthrange=".3 .5" force="400" forcerange="-50 0"/>',
    "gain alone": f'<general joint="a" gaintype="muscle" gainprm="{BY_HAND}" biastype="affine"'
    ' biasprm="1 -2 -.3" lengthrange="-1 1"/>',
    "bias alone": f'<general joint="b" gainprm="3" biastype="muscle" biasprm="{BY_HAND}"'
    ' lengthrange="-.5 .5"/>',
    "filtered": f'<general joint="b" dyntype="filter" dynprm=".1" gaintype="muscle"'
    f' gainprm="{BY_HAND}" lengthrange="-1 1" actearly="true"/>',
    "activation alone": '<general joint="c" dyntype="muscle" dynprm=".03 .02 .1" gainprm="7"/>',
    "early": '<general joint="a" dyntype="muscle" dynprm=".01 .04" gaintype="muscle"'
    f' gainprm="{BY_HAND}" lengthrange="-1 1" actlimited="true" actrange=".2 .6" actearly="true"/>',
}
every_law = pytest.mark.parametrize(
    "actuators", [*ACTUATORS.values(), "".join(ACTUATORS.values())], ids=[*ACTUATORS, "all"]
)


def states(pair: Twins, count: int) -> list[tuple[Array, Array, Array, Array]]:
    """q, v, ctrl and act; controls and activations beyond 0 and 1, too. MuJoCo ends at the last."""
    rng, found = np.random.default_rng(5), []
    for q, v, _ in pair.states(count):
        ctrl, act = (rng.uniform(-0.3, 1.3, n) for n in (pair.theirs.nu, pair.theirs.na))
        found.append((q[0], v[0], ctrl, act))
    return found


def put(pair: Twins, state: tuple[Array, Array, Array, Array]) -> None:
    data = pair.data
    mujoco.mj_resetData(pair.theirs, data)
    data.qpos[:], data.qvel[:], data.ctrl[:], data.act[:] = state
    mujoco.mj_forward(pair.theirs, data)


def forces_agree(pair: Twins, count: int = 40) -> None:
    dt = pair.theirs.opt.timestep
    for state in states(pair, count):
        put(pair, state)
        q, v, ctrl, act = (part[None] for part in state)
        (ours,) = native.motor_forces(pair.ours, q, v, ctrl, act=act, dt=dt)
        theirs = pair.data.qfrc_actuator
        assert_allclose(ours, theirs, rtol=0, atol=FORCE * max(np.abs(theirs).max(), 1.0))


@every_law
def test_forces_equal_mujocos(actuators: str, tmp_path: Path) -> None:
    pair = twins_of(ARM.format(option="", actuators=actuators), tmp_path)
    forces_agree(pair, 150)


@every_law
@pytest.mark.parametrize("integrator", ["euler", "implicitfast", "rk4"])
def test_steps_equal_mujocos(actuators: str, integrator: str, tmp_path: Path) -> None:
    """Activations, too. Gravity apart, all that moves are the muscles."""
    pair = twins_of(ARM.format(option='gravity="0 0 0"', actuators=actuators), tmp_path)
    pair.theirs.opt.integrator = {"euler": 0, "rk4": 1, "implicitfast": 3}[integrator]
    steps_agree(pair, integrator, 30)


def steps_agree(pair: Twins, integrator: str, count: int) -> None:
    theirs, data = pair.theirs, pair.data
    constraints = native.Constraints(pair.ours, **unconstrained(pair))
    run = native.Simulation(constraints, dt=theirs.opt.timestep, integrator=integrator)
    for state in states(pair, count):
        put(pair, state)
        M = pair.mass_matrix()
        mujoco.mj_step(theirs, data)
        q, v, ctrl, act = state
        start = native.States(q[None], v[None], act[None], np.zeros((1, theirs.nv)))
        made = run.run(start, native.Acting(ctrl[None, None]), steps=1).last
        change = norm(data.qvel - v, M)
        assert norm(made.v[0] - data.qvel, M) <= STEP * max(change, 1e-6)
        assert_allclose(made.act[0], data.act, rtol=1e-12, atol=1e-14)


def unconstrained(pair: Twins) -> dict[str, Any]:
    joints, tendons = pair.ours.system.njoint, pair.ours.ntendon
    free = np.array([-np.inf, np.inf, 0.0, 0.02, 1.0, 0.9, 0.95, 0.001, 0.5, 2.0])
    return {
        "joint_limits": np.tile(free, (joints, 1)),
        "joint_friction": np.tile(free[3:], (joints, 1)),
        "dof_friction": np.zeros(pair.ours.nv),
        "tendon_limits": np.tile(free, (tendons, 1)),
        "tendon_friction": np.tile(np.append(0.0, free[3:]), (tendons, 1)),
        "equality_target": np.zeros((0, 3), np.int32),
        "equalities": np.zeros((0, 22)),
        "q_reference": np.array(pair.theirs.qpos0),
    }


@pytest.mark.corpus_m
@pytest.mark.parametrize(
    "path", [each for each in robot_params("m", "mujoco") if "myo_sim" in str(each.id)]
)
def test_forces_of_real_muscles_equal_mujocos(path: Path) -> None:
    pair = twins(path)
    if not pair.model.na:
        pytest.skip("no muscles")
    forces_agree(pair)
    steps_agree(pair, "euler", 10)
