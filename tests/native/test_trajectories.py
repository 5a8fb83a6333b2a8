"""A second of motion beside a tight MuJoCo's, contacts and all, from where each scene starts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phyzctl import native
from phyzctl.model.contacts import make_contact_world
from phyzctl.spatial import Array
from tests.corpus import SHARED_CORPUS
from tests.native.held import Held, held
from tests.native.smooth import all_scenes

mujoco = pytest.importorskip("mujoco")

NAMES = {0: "euler", 1: "rk4", 3: "implicitfast"}
NOISE = 1e-13
# Scenes whose contacts have formulas, or that touch nothing: 1e-6, or what noise makes of it.
EXACT = (
    "unitree_go1", "unitree_a1", "unitree_h1", "anybotics_anymal_c", "franka_emika_panda",
    "universal_robots_ur5e", "trs_so_arm100", "agility_cassie", "kinova_gen3", "i2rt_yam",
)  # fmt: skip
# Where convex shapes meet, two programs find the same contacts within 1e-3 of a second's motion.
CONVEX = 1e-3
# What is known to go other ways, and why.
APART = {
    "hello_robot_stretch_3": "contacts 48 mm deep at the start have no one depth",
    "apptronik_apollo": "starts with overlapping capsules",
    "pal_talos/scene_motor": "collapses onto its meshes: chaotic",
    "toddlerbot_2xc/scene.xml": "falls over: chaotic",
    "toddlerbot_2xc/scene_mjx": "falls over: chaotic",
    "wonik_allegro": "an ellipsoid on a box: the contact's place is ill-conditioned",
    "scene_hfield": "height fields are not computed",
    "unitree_g1/scene_mjx": "starts with overlapping feet",
    "cube": "a hundred contacts between parts that lock each other",
}


def trajectory(pair: Held, steps: int, noise: float = 0.0) -> Array:
    """MuJoCo's q after each step."""
    theirs, data = pair.theirs, pair.data
    reset(pair)
    data.qpos[:] += noise * np.random.default_rng(0).normal(size=theirs.nq)
    made = np.empty((steps, theirs.nq))
    for row in made:
        mujoco.mj_step(theirs, data)
        row[:] = data.qpos
    return made


def reset(pair: Held) -> None:
    mujoco.mj_resetData(pair.theirs, pair.data)
    if pair.theirs.nkey:
        mujoco.mj_resetDataKeyframe(pair.theirs, pair.data, 0)


def ours(pair: Held, steps: int) -> native.Simulated:
    theirs, data = pair.theirs, pair.data
    reset(pair)
    simulation = native.Simulation(
        pair.with_cone("elliptic" if theirs.opt.cone else "pyramidal"),
        make_contact_world(pair.model),
        dt=theirs.opt.timestep,
        integrator=NAMES[theirs.opt.integrator],
        tolerance=1e-16,
    )
    start = native.States(
        q=np.array(data.qpos)[None],
        v=np.array(data.qvel)[None],
        act=np.array(data.act)[None],
        qacc_warmstart=np.zeros((1, theirs.nv)),
    )
    ctrl = np.array(data.ctrl if theirs.nu else np.zeros(theirs.nv))
    active = np.array([each.element.active for each in pair.model.equalities], np.bool_)
    return simulation.run(
        start,
        native.Acting(ctrl[None, None], eq_active=active[None]),
        steps=steps,
    )


def compare(pair: Held, seconds: float = 1.0) -> dict[str, Any]:
    """How far apart the two end up, and what MuJoCo makes of noise."""
    steps = round(seconds / pair.theirs.opt.timestep)
    path = trajectory(pair, steps)
    made = ours(pair, steps)
    noisy = np.abs(trajectory(pair, steps, NOISE) - path).max()
    apart = np.abs(np.append(made.states.q[0, 1:], made.last.q, axis=0) - path).max(axis=1)
    return {
        "first": apart[0],
        "second": apart.max() if made.made[0] == steps else np.inf,
        "noise": noisy,
        "contacts": made.solver[0, :, 2].max(),
        "capped": int(made.capped[0]),
    }


@pytest.mark.parametrize("robot", EXACT)
def test_a_second_equals_mujocos(robot: str) -> None:
    path = SHARED_CORPUS / "menagerie" / robot / "scene.xml"
    if not path.is_file():
        pytest.skip("the menagerie is not here")
    found = compare(held(path))
    assert found["first"] <= 1e-15
    assert found["second"] <= max(1e-6, 1e3 * found["noise"])
    assert found["capped"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("path", all_scenes())
def test_a_second_on_every_robot(path: Path) -> None:
    """Prints the table: `pytest -m slow -s`."""
    pair = held(path)
    if pair.theirs.opt.integrator not in NAMES:
        pytest.skip("another integrator")
    found = compare(pair)
    name = f"{path.parent.name}/{path.name}"
    print(
        f"| {name} | {found['first']:.0e} | {found['second']:.0e} | {found['noise']:.0e} "
        f"| {found['contacts']:.0f} |"
    )
    if any(known in name for known in APART):
        pytest.skip(next(why for known, why in APART.items() if known in name))
    assert found["second"] <= max(CONVEX, 1e3 * found["noise"])
