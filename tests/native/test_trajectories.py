"""A second of motion beside a tight MuJoCo's, contacts and all, from where each scene starts."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from phyzctl import native
from phyzctl.model.contacts import make_contact_world
from phyzctl.spatial import Array
from tests.corpus import SHARED_CORPUS
from tests.native.contacts import FORMULAS
from tests.native.held import Held, held
from tests.native.smooth import all_scenes

mujoco = pytest.importorskip("mujoco")

NAMES = {0: "euler", 1: "rk4", 3: "implicitfast"}
NOISE, FROM_NOISE, EQUAL = 1e-13, 1e3, 1e-6
MESH = 7
# Scenes whose contacts have formulas, or that touch nothing: 1e-6, or what noise makes of it.
EXACT = (
    "unitree_go1", "unitree_a1", "unitree_h1", "anybotics_anymal_c", "franka_emika_panda",
    "universal_robots_ur5e", "trs_so_arm100", "agility_cassie", "kinova_gen3", "i2rt_yam",
    "google_barkour_vb",
)  # fmt: skip
# Where hulls touch, two programs stay within 1e-3 over a second: MuJoCo keeps vertices in single
# precision, and what of two hulls makes the manifold is a matter of rounding.
CONVEX = 1e-3
# What goes other ways within a second, and why.
APART = {
    "hello_robot_stretch_3/scene.xml": "starts with meshes 48 mm deep in each other: which four "
    "points stand for faces of a hundred corners is a matter of rounding",
    "google_barkour_vb/scene_hfield_mjx.xml": "height fields are not computed",
}


class Second(NamedTuple):
    """A second of motion of both."""

    first: float
    """How far apart they are after a step."""
    apart: float
    """And at most."""
    noise: float
    """What MuJoCo makes of noise."""
    gate: float
    contacts: int
    capped: int


def trajectory(pair: Held, steps: int, noise: float = 0.0) -> tuple[Array, set[tuple[int, int]]]:
    """MuJoCo's q after each step, and what types of geoms touched."""
    theirs, data = pair.theirs, pair.data
    reset(pair)
    data.qpos[:] += noise * np.random.default_rng(0).normal(size=theirs.nq)
    made, touched = np.empty((steps, theirs.nq)), set()
    for row in made:
        mujoco.mj_step(theirs, data)
        row[:] = data.qpos
        touched |= {(int(a), int(b)) for a, b in theirs.geom_type[data.contact.geom]}
    return made, touched


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


def compare(pair: Held, seconds: float = 1.0) -> Second:
    """How far apart the two end up, and how far they may."""
    steps = round(seconds / pair.theirs.opt.timestep)
    path, touched = trajectory(pair, steps)
    made = ours(pair, steps)
    noise = float(np.abs(trajectory(pair, steps, NOISE)[0] - path).max())
    apart = np.abs(np.append(made.states.q[0, 1:], made.last.q, axis=0) - path).max(axis=1)
    hulls = any(types not in FORMULAS or MESH in types for types in touched)
    return Second(
        first=float(apart[0]),
        apart=float(apart.max()) if made.made[0] == steps else np.inf,
        noise=noise,
        gate=max(CONVEX if hulls else EQUAL, FROM_NOISE * noise),
        contacts=int(made.solver[0, :, 2].max()),
        capped=int(made.capped[0]),
    )


@pytest.mark.parametrize("robot", EXACT)
def test_a_second_equals_mujocos(robot: str) -> None:
    path = SHARED_CORPUS / "menagerie" / robot / "scene.xml"
    if not path.is_file():
        pytest.skip("the menagerie is not here")
    found = compare(held(path))
    assert found.first <= 1e-15
    assert found.apart <= max(EQUAL, FROM_NOISE * found.noise)
    assert found.capped == 0


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
        f"| {name} | {found.first:.0e} | {found.apart:.0e} | {found.noise:.0e} "
        f"| {found.gate:.0e} | {found.contacts} | {APART.get(name, '')} |"
    )
    if name in APART:
        pytest.skip(APART[name])
    assert found.apart <= found.gate
    assert found.capped == 0
