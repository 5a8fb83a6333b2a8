"""A step with constraints and contacts beside MuJoCo's, as CPU time of one thread in the same run.

Both start from the scene's first keyframe, with the file's own settings, and start again from there
before every round. MuJoCo makes all its steps in one call.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from phyzctl import native
from phyzctl.formats import read
from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.model.constraints import make_constraints
from phyzctl.model.contacts import make_contact_world
from phyzctl.model.dynamics import dynamics_arrays
from tests.benchmarks.test_kinematics import least_seconds
from tests.corpus import corpus_dir

mujoco = pytest.importorskip("mujoco")
pytestmark = pytest.mark.benchmark

STEPS = 500
NAMES = {0: "euler", 1: "rk4", 3: "implicitfast"}
ROBOTS = {
    "universal_robots_ur5e/scene.xml": 1.8,
    "franka_emika_panda/scene.xml": 2.0,
    "kuka_iiwa_14/scene.xml": 2.0,
    "trs_so_arm100/scene.xml": 2.0,
    "unitree_go1/scene.xml": 1.8,
    "unitree_go2/scene.xml": 2.0,
    "unitree_a1/scene.xml": 1.8,
    "anybotics_anymal_c/scene.xml": 1.8,
    "unitree_h1/scene.xml": 1.2,
    "unitree_g1/scene.xml": 1.2,
    "agility_cassie/scene.xml": 1.2,
    "toddlerbot_2xc/scene_pos.xml": 1.2,
    "pal_talos/scene_position.xml": 1.2,
    "shadow_hand/scene_right.xml": 1.2,
    "wonik_allegro/scene_right.xml": 1.2,
}


@pytest.mark.parametrize(("file", "gate"), ROBOTS.items())
def test_step(file: str, gate: float) -> None:
    path = Path(corpus_dir("shared") / "menagerie" / file)
    theirs = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(theirs)
    robot = read(str(path), Issues()).robot
    assert robot is not None
    model = compiler.compile(robot)
    constraints = make_constraints(model, native.Dynamics(model.system, **dynamics_arrays(model)))
    simulation = native.Simulation(
        constraints,
        make_contact_world(model),
        dt=model.dt,
        integrator=NAMES[theirs.opt.integrator],
    )
    state = model.keyframes[0].state if model.keyframes else model.default_state()
    start = native.States(*(getattr(state, part)[None].copy() for part in native.States._fields))
    acting = native.Acting(state.ctrl[None, None].copy())

    def ours() -> native.Simulated:
        return simulation.run(start, acting, steps=STEPS, every=STEPS)

    def loop() -> None:
        mujoco.mj_resetData(theirs, data)
        if theirs.nkey:
            mujoco.mj_resetDataKeyframe(theirs, data, 0)
        mujoco.mj_step(theirs, data, nstep=STEPS)

    loop()
    assert np.isfinite(ours().last.v).all()
    mine, whole = least_seconds(ours, loop)
    ratio = whole / mine
    print(f"{file}: {mine / STEPS * 1e6:.1f} us a step, MuJoCo {ratio:.1f} times that")
    assert ratio >= gate
