"""Islands: what constraints do not join is solved by itself, whatever happens elsewhere."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from phyzctl import native
from phyzctl.formats import read_bytes
from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.model.constraints import make_constraints
from phyzctl.model.contacts import make_contact_world
from phyzctl.spatial import Array
from tests.native.held import Held, written
from tests.native.test_simulation import at, simulation

mujoco = pytest.importorskip("mujoco")

PLANE = '<geom type="plane" size="9 9 1"/>'
STACK = "".join(
    f'<body pos="0 0 {0.0999 + 0.1999 * k}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
    for k in range(4)
)
FALLING = '<body pos="0 3 2"><freejoint/><geom size=".1"/></body>'
ARM = """<body pos="3 0 1"><joint axis="0 1 0" frictionloss=".1"/><geom size=".1" pos=".3 0 0"/>
  <body pos=".5 0 0"><joint axis="0 0 1" range="-1 1" limited="true"/>
  <geom type="capsule" size=".05 .1"/></body></body>"""
LOOSE = '<body pos="-3 0 1"><joint axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body>'
PUSHED = """<body pos="-3 3 .099" euler="90 0 0"><freejoint/>
  <geom type="capsule" size=".1 .2"/></body>
  <body pos="-3 3.3 .3"><freejoint/><geom size=".1"/></body>"""


def islands(pair: Held, steps: int) -> tuple[list[int], list[int]]:
    """How many there are in each step, by us and by MuJoCo."""
    theirs, data = pair.theirs, pair.data
    mujoco.mj_resetData(theirs, data)
    ours = simulation_with_contacts(pair)
    start, acting = at(pair)
    made = ours.run(start, acting, steps=steps)
    counts = []
    for _ in range(steps):
        mujoco.mj_step(theirs, data)
        counts.append(int(data.nisland))
    return [int(count) for count in made.solver[0, :, 3]], counts


def simulation_with_contacts(pair: Held) -> native.Simulation:
    return simulation(pair, "euler", contacts=make_contact_world(pair.model))


@pytest.mark.parametrize(
    ("bodies", "first"),
    [(FALLING, 0), (LOOSE, 0), (ARM, 1), (STACK, 1), (STACK + ARM + FALLING + LOOSE, 2)],
)
def test_there_are_as_many_as_mujoco_finds(bodies: str, first: int, tmp_path: Path) -> None:
    ours, theirs = islands(written(f"<worldbody>{PLANE}{bodies}</worldbody>", tmp_path), 50)
    assert ours[0] == first
    assert ours == theirs


def test_a_tendon_and_a_weld_join_trees(tmp_path: Path) -> None:
    tied = """<worldbody><body name="a"><joint name="a"/><geom size=".1" pos=".2 0 0"/></body>
      <body name="b" pos="0 1 0"><joint name="b"/><geom size=".1" pos=".2 0 0"/></body>
      <body name="c" pos="0 2 0"><joint name="c"/><geom size=".1" pos=".2 0 0"/></body>
      <body name="d" pos="0 3 0"><freejoint/><geom size=".1"/></body></worldbody>
      <tendon><fixed frictionloss=".1"><joint joint="a" coef="1"/><joint joint="b" coef="1"/>
      </fixed></tendon><equality><weld body1="c" body2="d"/></equality>"""
    ours, theirs = islands(written(tied, tmp_path), 5)
    assert ours == theirs == [2] * 5


def moved(bodies: str, steps: int) -> Array:
    """Where the bodies of a scene are after some steps."""
    text = f"<mujoco><worldbody>{PLANE}{bodies}</worldbody></mujoco>"
    robot = read_bytes(text.encode(), "scene.xml", Issues()).robot
    assert robot is not None
    model = compiler.compile(robot)
    ours = native.Simulation(
        make_constraints(model, model.dynamics), make_contact_world(model), dt=2e-3
    )
    state = model.default_state()
    start = native.States(*(getattr(state, part)[None] for part in native.States._fields))
    made: Array = ours.run(start, native.Acting(state.ctrl[None, None]), steps=steps).last.q[0]
    return made


@pytest.mark.parametrize("bodies", [STACK, ARM, PUSHED, STACK + PUSHED])
def test_what_is_elsewhere_changes_no_bit(bodies: str) -> None:
    alone, among = moved(bodies, 300), moved(bodies + FALLING + LOOSE, 300)
    assert_array_equal(among[: alone.shape[0]], alone)


def test_order_of_bodies_changes_next_to_nothing() -> None:
    """Trees that touch fewest others are eliminated first, wherever they stand in the file."""
    first, last = moved(STACK + PUSHED, 100), moved(PUSHED + STACK, 100)
    assert_allclose(np.roll(first, 14), last, atol=1e-9)


HEAP = "".join(
    f'<body pos="{0.15 * i} {0.16 * j} {0.1 + 0.15 * k}" euler="{37 * i} {23 * k} {11 * j}">'
    '<freejoint/><geom type="capsule" size=".05 .1"/></body>'
    for i in range(3)
    for j in range(3)
    for k in range(2)
)
CHAIN = "".join(
    f'<body name="l{k}" pos="0 {0.4 * k} 1"><freejoint/><geom type="capsule" size=".05 .1"/>'
    f'<body pos="0 0 .2"><joint axis="1 0 0"/><geom size=".05" pos="0 0 .1"/></body></body>'
    for k in range(5)
)
LINKS = "".join(f'<connect body1="l{k}" body2="l{(k + 1) % 5}" anchor="0 .2 0"/>' for k in range(5))


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize(
    "text",
    [
        f"<worldbody>{PLANE}{HEAP}</worldbody>",
        f"<worldbody>{PLANE}{STACK}</worldbody>",
        f"<worldbody>{CHAIN}</worldbody><equality>{LINKS}</equality>",
    ],
    ids=["heap", "stack", "ring"],
)
def test_many_trees_in_one_island_move_as_mujocos(text: str, cone: str, tmp_path: Path) -> None:
    """Joined all ways, so that elimination fills in: twenty steps, each from MuJoCo's state."""
    pair = written(text, tmp_path)
    pair.with_cone(cone)
    theirs, data = pair.theirs, pair.data
    theirs.opt.cone = {"pyramidal": 0, "elliptic": 1}[cone]
    mujoco.mj_resetData(theirs, data)
    for _ in range(20):
        mujoco.mj_forward(theirs, data)
        made = native.forward_held(
            pair.with_cone(cone), data.qpos.copy(), data.qvel.copy(), np.zeros(theirs.nv),
            dt=theirs.opt.timestep, contacts=pair.contacts(), tolerance=1e-20,
        )  # fmt: skip
        M, error = pair.mass_matrix(), made.qacc - data.qacc
        norm = float(data.qacc @ M @ data.qacc)
        assert error @ M @ error <= 1e-16 * max(norm, 1.0)
        mujoco.mj_step(theirs, data)
