"""Contacts that can pull (adhesion of geoms): as MuJoCo's, and as far as they say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from phyzctl import native
from phyzctl.model.contacts import contact_table, make_contact_world
from phyzctl.spatial import Array
from tests.corpus import SHARED_CORPUS
from tests.native.held import CONES, Held, held, written
from tests.native.test_constraints import compare_rows
from tests.native.test_simulation import at
from tests.native.test_solver import GATE, norm, solved

mujoco = pytest.importorskip("mujoco")

# Balls, boxes and a capsule that stick to a plane, to each other and, within their gaps, across.
HEAP = """<option impratio="4"/><worldbody>
  <geom type="plane" size="5 5 1" adhesion="2" gap=".05" condim="{condim}"/>
  <body pos="0 0 .13"><freejoint/><geom size=".1" mass="1" adhesion="3" condim="{condim}"/></body>
  <body pos=".5 0 .0999" euler="0 0 20"><freejoint/><geom type="box" size=".1 .1 .1" mass="2"
    adhesion="7" margin=".002" condim="{condim}"/></body>
  <body pos=".52 0 .28"><freejoint/><geom type="capsule" size=".08 .1" euler="90 0 0" mass=".5"
    priority="1" adhesion="4" gap=".01" condim="{condim}"/></body>
  <body name="arm" pos="1 0 .3"><joint name="a" axis="0 1 0"/>
    <geom type="capsule" fromto="0 0 0 .3 0 -.2" size=".05" condim="{condim}"/></body>
  <body name="last" pos="-.5 0 .099"><freejoint/><geom name="b" size=".1" mass="1"/></body>
  <body pos="-.5 0 .2995"><freejoint/><geom name="c" size=".1" mass="1" adhesion="8"/></body>
  </worldbody><contact><pair geom1="b" geom2="c" adhesion="11" condim="{condim}" gap=".01"/>
  </contact>"""


def compare(pair: Held, states: int) -> set[float]:
    """Rows and accelerations at MuJoCo's contacts; the adhesions that acted."""
    seen: set[float] = set()
    for cone in CONES:
        constraints, dt = pair.with_cone(cone), pair.theirs.opt.timestep
        for state in pair.near_states(states):
            q, v, _ = state
            contacts = pair.contacts()
            compare_rows(pair, native.constraint_rows(constraints, q, v, dt=dt, contacts=contacts))
            M, theirs = pair.mass_matrix(), pair.data.qacc.copy()
            ours = solved(pair, cone, state, tolerance=1e-18)
            assert norm(ours.qacc - theirs, M) <= GATE * norm(theirs, M)
            seen |= {float(each.adhesion) for each in pair.data.contact}
    return seen


@pytest.mark.parametrize("condim", [1, 3, 4, 6])
def test_rows_and_accelerations_equal_mujocos(condim: int, tmp_path: Path) -> None:
    seen = compare(written(HEAP.format(condim=condim), tmp_path), 12)
    assert {2.0, 4.0, 5.0, 9.0, 11.0} <= seen


def test_laws_are_mujocos(tmp_path: Path) -> None:
    """The sum, of unlike priorities the higher one's, of pairs their own: at its contacts."""
    pair = written(HEAP.format(condim=3), tmp_path)
    table = contact_table(pair.model)
    mine = {frozenset(geoms): number for number, geoms in enumerate(table.pair_geoms.tolist())}
    for _ in pair.near_states(12):
        for contact in pair.data.contact:
            law = table.pair_law[mine[frozenset(contact.geom.tolist())]]
            assert table.law_adhesion[law] == contact.adhesion


@pytest.mark.parametrize("integrator", ["euler", "implicitfast"])
@pytest.mark.parametrize("cone", CONES)
def test_two_hundred_steps_equal_mujocos(cone: str, integrator: str, tmp_path: Path) -> None:
    pair = written(HEAP.format(condim=3), tmp_path)
    constraints, theirs, data = pair.with_cone(cone), pair.theirs, pair.data
    theirs.opt.integrator = {"euler": 0, "implicitfast": 3}[integrator]
    run = native.Simulation(
        constraints, make_contact_world(pair.model), dt=theirs.opt.timestep,
        integrator=integrator, tolerance=1e-20,
    )  # fmt: skip
    mujoco.mj_resetData(theirs, data)
    start, acting = at(pair)
    pair.with_cone(cone)
    made = run.run(start, acting, steps=200).last
    for _ in range(200):
        mujoco.mj_step(theirs, data)
    assert_allclose(made.q[0], data.qpos, atol=1e-6)


HUNG = """<option gravity="0 0 {g}" timestep=".001"/><worldbody>
  <geom type="plane" size="5 5 1" gap=".001"/><body pos="0 0 .1"><freejoint/>
  <geom size=".1" mass="1" adhesion="6" condim="{condim}" friction=".5"/></body></worldbody>"""


def moved(pair: Held, cone: str, push: float = 0.0, integrator: str = "euler") -> Array:
    """Velocities after a second under a sideways force."""
    run = native.Simulation(
        pair.with_cone(cone), make_contact_world(pair.model), dt=1e-3, integrator=integrator
    )
    mujoco.mj_resetData(pair.theirs, pair.data)
    pair.data.qfrc_applied[0] = push
    start, acting = at(pair)
    result: Array = run.run(start, acting, steps=1000).last.v[0]
    return result


@pytest.mark.parametrize("integrator", ["euler", "implicitfast", "best"])
@pytest.mark.parametrize("cone", CONES)
@pytest.mark.parametrize("condim", [1, 3, 6])
def test_a_ball_hangs_up_to_its_adhesion(
    condim: int, cone: str, integrator: str, tmp_path: Path
) -> None:
    """Drawn off by 5 N it stays, by 7 N it goes as if free but for the 6 N while it was near."""
    for g, stays in ((5.0, True), (7.0, False)):
        pair = written(HUNG.format(g=g, condim=condim), tmp_path / f"{g}")
        speed = float(moved(pair, cone, integrator=integrator)[2])
        assert abs(speed) < 1e-3 if stays else speed > 5.0


def test_what_sticks_does_not_slide_under_next_to_no_load(tmp_path: Path) -> None:
    """mu (f + adhesion): 0.5 times 6.5 N hold 2 N, and not 4 N."""
    box = HUNG.format(g=-0.5, condim=3)
    for old, new in (
        ('<geom size=".1" mass', '<geom type="box" size=".1 .1 .1" mass'),  # in four points
        ('adhesion="6"', 'adhesion="1.5"'),
        ('gap=".001"', 'gap=".001" friction=".1"'),
    ):
        box = box.replace(old, new)
    pair = written(box, tmp_path)
    assert abs(moved(pair, "elliptic", 2.0)[0]) < 5e-3
    assert moved(pair, "elliptic", 4.0)[0] > 0.5


@pytest.mark.parametrize("name", ["fridge_door", "sand_castle"])
def test_mujocos_examples(name: str) -> None:
    path = SHARED_CORPUS / f"mujoco/adhesion/{name}.xml"
    if not path.is_file():
        pytest.skip("the shared corpus is not here")
    compare(held(path), 3)


def test_adhesion_that_is_no_number_is_refused(tmp_path: Path) -> None:
    pair = written(HUNG.format(g=0, condim=3), tmp_path)
    world, table = pair.model, contact_table(pair.model)
    with pytest.raises(ValueError, match="adhesion has a number that is NaN"):
        native.ContactWorld(
            world.system, make_contact_world(world).shapes, table.pair_geoms, table.pair_law,
            dimension=table.law_dim, friction=table.law_friction, solref=table.law_solref,
            solref_friction=table.law_solref_friction, solimp=table.law_solimp,
            margin=table.law_margin, gap=table.law_gap,
            adhesion=np.full_like(table.law_gap, np.nan),
        )  # fmt: skip
