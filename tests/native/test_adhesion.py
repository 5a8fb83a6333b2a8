"""Actuators that press a body against what it touches: MuJoCo's forces, and what they hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from phyzctl import native
from phyzctl.model.contacts import make_contact_world
from tests.native.held import CONES, Held, written

mujoco = pytest.importorskip("mujoco")

# A box with a foot on a joint on a floor, against a wall; balls between them; one just apart.
SCENE = """<option timestep=".002" cone="elliptic"/><worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <body name="wall" pos=".5 0 .3"><geom type="box" size=".1 .5 .3" condim="1"/></body>
    <body name="box" pos="0 0 .199"><freejoint/><geom type="box" size=".2 .2 .2" condim="3"/>
      <body name="foot" pos=".3 0 -.1"><joint axis="0 1 0" damping=".1" actuatorfrcrange="-3 3"/>
        <geom size=".1005" condim="4"/></body></body>
    <body name="ball" pos="-.35 0 .149"><freejoint/><geom size=".15" condim="6"/></body>
    <body name="far" pos="0 1 .103"><joint type="slide"/><geom size=".1" margin=".001" gap=".01"/>
    </body></worldbody>"""
ACTUATORS = """<actuator><adhesion name="a" body="box" ctrlrange="0 1" gain="30"/>
    <adhesion body="foot" ctrlrange="0 1" gain="8" forcerange="0 2"/>
    <adhesion body="ball" ctrlrange="0 2" gain="5"/><adhesion body="far" ctrlrange="0 1" gain="9"/>
    <general body="ball" gainprm="2" biastype="affine" biasprm="1 -3 -4"/>
    <adhesion body="wall" ctrlrange="0 1" gain="3"/></actuator>"""


def near(pair: Held, seed: int) -> tuple[Any, Any, Any]:
    """A state close to the reference, where much touches; MuJoCo is put there."""
    rng, theirs, data = np.random.default_rng(seed), pair.theirs, pair.data
    mujoco.mj_resetData(theirs, data)
    mujoco.mj_integratePos(theirs, data.qpos, rng.normal(0.0, 1e-3, theirs.nv), 1.0)
    data.qvel[:], data.ctrl[:] = rng.normal(0.0, 0.3, theirs.nv), rng.uniform(-0.2, 1.5, theirs.nu)
    mujoco.mj_forward(theirs, data)
    return data.qpos.copy(), data.qvel.copy(), data.ctrl.copy()


@pytest.mark.parametrize("cone", CONES)
def test_accelerations_are_those_of_mujoco(cone: str, tmp_path: Path) -> None:
    pair = written(SCENE + ACTUATORS, tmp_path)
    constraints, pulled = pair.with_cone(cone), np.zeros(pair.theirs.nu)
    for seed in range(20):
        q, v, ctrl = near(pair, seed)
        made = native.forward_held(
            constraints, q, v, ctrl, dt=0.002, contacts=pair.contacts(), tolerance=1e-18
        )
        M, error = pair.mass_matrix(), made.qacc - pair.data.qacc
        assert error @ M @ error <= 1e-16 * (pair.data.qacc @ M @ pair.data.qacc)
        moments = np.zeros((pair.theirs.nu, pair.theirs.nv))
        data = pair.data
        mujoco.mju_sparse2dense(
            moments, data.actuator_moment, data.moment_rownnz, data.moment_rowadr,
            data.moment_colind,
        )  # fmt: skip
        pulled += (np.abs(moments).max(axis=1) > 0.0) & (data.actuator_force != 0.0)
        gaps = [contact.exclude for contact in data.contact]
    assert (pulled > 0).all()
    assert 1 in gaps


def run(pair: Held, state: tuple[Any, Any, Any], *, integrator: str, steps: int) -> native.States:
    (q, v, ctrl), world = state, make_contact_world(pair.model)
    ours = native.Simulation(
        pair.with_cone("elliptic"), world, dt=0.002, integrator=integrator, tolerance=1e-18
    )
    warm = np.zeros_like(v)
    start = native.States(q[None], v[None], np.zeros((1, 0)), warm[None])
    return ours.run(start, native.Acting(ctrl[None, None]), steps=steps).last


@pytest.mark.parametrize("integrator", ["euler", "implicitfast"])
def test_one_step_is_that_of_mujoco_at_contacts_that_are_found(
    integrator: str, tmp_path: Path
) -> None:
    pair = written(SCENE + ACTUATORS, tmp_path)
    pair.theirs.opt.integrator = {"euler": 0, "implicitfast": 3}[integrator]
    pair.with_cone("elliptic")
    for seed in range(10):
        q, v, ctrl = near(pair, seed)
        mujoco.mj_step(pair.theirs, pair.data)
        last = run(pair, (q, v, ctrl), integrator=integrator, steps=1)
        assert_allclose(last.v[0] - v, pair.data.qvel - v, rtol=1e-7, atol=1e-9)


HANGING = """<option timestep=".002"/><worldbody>
    <geom type="plane" size="1 1 1" pos="0 0 1" zaxis="0 0 -1"/>
    <body name="ball" pos="0 0 .9"><freejoint/><geom size=".1" mass="2"/></body></worldbody>
    <actuator><adhesion body="ball" ctrlrange="0 1" gain="100"/></actuator>"""


@pytest.mark.parametrize("integrator", native.INTEGRATORS)
def test_a_ball_hangs_from_the_ceiling_by_more_than_its_weight(
    integrator: str, tmp_path: Path
) -> None:
    pair = written(HANGING, tmp_path)
    q, v = pair.theirs.qpos0.copy(), np.zeros(6)
    q[2] += 1e-4
    for share, hangs in ((1.3, True), (0.7, False)):
        ctrl = np.array([share * 2.0 * 9.81 / 100.0])
        height = run(pair, (q, v, ctrl), integrator=integrator, steps=500).q[0, 2]
        assert (abs(height - 0.9) < 2e-3) == hangs
        assert hangs or height < -1.0
