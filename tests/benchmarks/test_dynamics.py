"""A smooth step beside MuJoCo's, as CPU time of one thread in the same run.

MuJoCo steps without constraints, and without what calling it from Python costs, measured by a
call that does next to nothing. Both start again from the same state before every round.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from phyzctl import native
from tests.benchmarks.test_kinematics import least_seconds
from tests.corpus import corpus_dir
from tests.native.smooth import INTEGRATORS, twins

mujoco = pytest.importorskip("mujoco")
pytestmark = pytest.mark.benchmark

STEPS = 500
DT = 1e-4  # small, so that nothing leaves the range where both do the same
ROBOTS = {
    "menagerie/universal_robots_ur5e/scene.xml": 2.0,
    "menagerie/franka_emika_panda/scene.xml": 2.0,
    "menagerie/unitree_go1/scene.xml": 2.0,
    "menagerie/unitree_h1/scene.xml": 1.2,
    "menagerie/shadow_hand/scene_right.xml": 1.2,
    "mujoco/humanoid/humanoid.xml": 1.2,
}


@pytest.mark.parametrize(("file", "gate"), ROBOTS.items())
@pytest.mark.parametrize("integrator", ["euler", "implicitfast"])
def test_smooth_step(file: str, gate: float, integrator: str) -> None:
    pair = twins(Path(corpus_dir("shared") / file))
    theirs, data = pair.theirs, pair.data
    theirs.opt.integrator, theirs.opt.timestep = INTEGRATORS[integrator], DT
    q, v = theirs.qpos0[None].copy(), np.zeros((1, theirs.nv))
    ctrl = np.zeros((1, 1, pair.ours.nctrl))

    def ours() -> native.Rollout:
        return native.rollout(
            pair.ours, q, v, ctrl, steps=STEPS, dt=DT, integrator=integrator, every=STEPS
        )

    def loop() -> None:
        mujoco.mj_resetData(theirs, data)
        for _ in range(STEPS):
            mujoco.mj_step(theirs, data)

    def calls() -> None:
        for _ in range(STEPS):
            mujoco.mj_getTotalmass(theirs)

    loop()
    np.testing.assert_allclose(ours().last_v[0], data.qvel, rtol=1e-6, atol=1e-8)
    mine, whole, overhead = least_seconds(ours, loop, calls)
    ratio = (whole - overhead) / mine
    print(f"{file} {integrator}: {mine / STEPS * 1e6:.2f} us a step, MuJoCo {ratio:.1f} times that")
    assert ratio >= gate
