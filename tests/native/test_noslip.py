"""Noslip passes: as MuJoCo's, in closed form, and against creeping."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from phyzctl import native
from phyzctl.model.contacts import make_contact_world
from phyzctl.spatial import Array
from tests.native.held import CONES, Held, written
from tests.native.test_simulation import at
from tests.native.test_solver import norm

mujoco = pytest.importorskip("mujoco")

GATE = 1e-8
ALL = [("pyramidal", 1), ("pyramidal", 3), ("pyramidal", 4), ("pyramidal", 6), ("elliptic", 1)]
PASSES = [(1, 0.0), (3, 0.0), (50, 1e-3), (50, 1e-6), (300, 1e-9)]

# Two boxes on each other, an arm that lies on them, and dry friction of joints and a tendon.
PILE = """
    <option impratio="{impratio}"/><worldbody><geom type="plane" size="5 5 1" condim="{condim}"/>
      <body pos="0 0 .099"><freejoint/>
        <geom type="box" size=".1 .1 .1" mass="2" condim="{condim}" friction=".6 .01 .002"/></body>
      <body pos=".03 .02 .297" euler="0 0 20"><freejoint/>
        <geom type="box" size=".1 .1 .1" mass="1" condim="{condim}" friction=".4 .02 .003"/></body>
      <body pos=".1 .3 .5" euler="0 0 40"><joint name="h" axis="0 1 0" frictionloss=".3"/>
        <joint axis="1 0 0" frictionloss=".2"/><joint axis="1 .3 1" frictionloss=".1"/>
        <geom type="capsule" fromto="0 0 0 -.4 0 -.45" size=".05" mass=".5"/>
        <body pos="-.4 0 -.45"><joint name="g" axis="0 1 0" frictionloss=".1"/>
          <joint axis="1 0 0"/><joint axis="0 0 1" range="-.1 .1" limited="true"/>
          <geom type="capsule" fromto="0 0 0 .2 0 .05" size=".05" condim="{condim}"/></body></body>
      <body pos="2 0 .5"><joint name="k" axis="0 1 0" frictionloss=".5" damping=".1"/>
        <geom size=".1" pos=".2 0 0"/></body>
    </worldbody><tendon><fixed frictionloss=".4"><joint joint="h" coef="1"/>
      <joint joint="g" coef="-2"/></fixed></tendon>"""


def forced(
    pair: Held, cone: str, state: tuple[Array, Array, Array], **settings: Any
) -> native.Held:
    """With noslip as `settings` say."""
    constraints = native.Constraints(pair.ours, **pair.arrays | {"cone": cone} | settings)
    q, v, ctrl = state
    return native.forward_held(
        constraints, q, v, ctrl, dt=pair.theirs.opt.timestep, contacts=pair.contacts(),
        tolerance=1e-20,
    )  # fmt: skip


@pytest.mark.parametrize("passes", PASSES)
@pytest.mark.parametrize(("cone", "condim"), [*ALL, ("elliptic", 3), ("elliptic", 4)])
def test_passes_equal_mujocos(
    cone: str, condim: int, passes: tuple[int, float], tmp_path: Path
) -> None:
    pair = written(PILE.format(condim=condim, impratio=3), tmp_path)
    opt, data = pair.theirs.opt, pair.data
    opt.noslip_iterations, opt.noslip_tolerance = passes
    pair.with_cone(cone)
    changes = []
    for state in pair.near_states(6):
        ours = forced(pair, cone, state, noslip=passes)
        soft, M = forced(pair, cone, state, noslip=(0, 1e-6)), pair.mass_matrix()
        assert norm(ours.qacc - data.qacc, M) <= GATE * norm(data.qacc, M)
        assert_allclose(ours.force, data.qfrc_constraint, atol=GATE * np.abs(ours.force).max())
        changes.append(norm(ours.qacc - soft.qacc, M) / norm(soft.qacc, M))
    assert max(changes) > 1e-4


BALL = """
    <worldbody><geom type="plane" size="5 5 1" condim="6" friction=".1 0 0"/>
      <body pos="0 0 .0999"><freejoint/><geom size=".1" mass="{mass}" condim="6"
        friction=".6 .005 {rolling}"/></body></worldbody>"""


class Rolling:
    """A ball that rolls and spins on a plane: MuJoCo's problem of its six contact forces."""

    def __init__(self, pair: Held, spin: float) -> None:
        self.pair, data = pair, pair.data
        pair.with_cone("elliptic")
        pair.theirs.opt.noslip_tolerance = 0.0
        data.qvel[:] = 0.1 * spin, 0.0, 0.0, 0.0, spin, 0.3 * spin
        pair.theirs.opt.noslip_iterations = 0
        mujoco.mj_forward(pair.theirs, data)
        J, self.mu = pair.jacobian(), data.contact[0].friction.copy()
        self.A = J @ np.linalg.solve(pair.mass_matrix(), J.T)
        self.b = J @ data.qacc_smooth - data.efc_aref
        state = data.qpos.copy(), data.qvel.copy(), np.zeros(6)
        ours = forced(pair, "elliptic", state, noslip=(2, 0.0))
        self.ours: Array = np.array(np.linalg.solve(J.T, ours.force), np.float64)
        pair.theirs.opt.noslip_iterations = 100
        mujoco.mj_forward(pair.theirs, data)
        self.theirs = data.efc_force.copy()

    def slope(self, force: Array) -> Array:
        """Of the cost, along the directions of friction."""
        return np.array(self.A @ force + self.b, np.float64)[1:]

    def cost(self, force: Array) -> float:
        return float(force @ (0.5 * self.A @ force + self.b))


SPINS = (0.01, 0.1, 0.3, 0.6, 1.0, 3.0, 10.0)


@pytest.mark.parametrize("spin", SPINS)
@pytest.mark.parametrize("rolling", [1e-4, 1e-2])
@pytest.mark.parametrize("mass", [0.1, 1.0, 100.0])
def test_friction_on_a_cone_costs_least(
    mass: float, rolling: float, spin: float, tmp_path: Path
) -> None:
    """Nowhere within the ellipsoid is a lower cost: the slope vanishes, or is along its normal."""
    found = Rolling(written(BALL.format(mass=mass, rolling=rolling), tmp_path), spin)
    slope, friction, load = found.slope(found.ours), found.ours[1:], found.ours[0]
    radius = float(np.linalg.norm(friction / found.mu)) / load
    assert radius <= 1.0 + 1e-12
    normal = friction / found.mu**2
    multiplier = -float(slope @ friction) / float(normal @ friction)
    scale = np.abs(found.mu * found.b[1:]).max()
    assert_allclose(found.mu * (slope + multiplier * normal), 0.0, atol=1e-9 * scale)
    assert multiplier * load >= -1e-9 * scale
    if radius < 1.0 - 1e-9:
        assert_allclose(found.mu * slope, 0.0, atol=1e-9 * scale)


@pytest.mark.parametrize("spin", SPINS)
@pytest.mark.parametrize("rolling", [1e-4, 1e-2])
def test_mujocos_friction_of_six_directions_costs_no_less(
    rolling: float, spin: float, tmp_path: Path
) -> None:
    """It makes twenty steps of Newton's, which don't do where a ball hardly resists rolling."""
    found = Rolling(written(BALL.format(mass=1, rolling=rolling), tmp_path), spin)
    assert found.cost(found.ours) <= found.cost(found.theirs) + 1e-9
    assert_allclose(found.ours, found.theirs, atol=1e-4 * found.theirs[0])


ONE_WAY = """
    <option timestep=".001"/><worldbody><geom type="plane" size="5 5 1" condim="{condim}"/>
      <body pos="0 0 .0999"><joint type="slide" axis="{axis}"/><joint type="slide" axis="0 0 1"/>
        <geom size=".1" mass="1" condim="{condim}" friction=".6 .005 .001"/></body></worldbody>"""


@pytest.mark.parametrize("condim", [3, 4, 6])
@pytest.mark.parametrize("axis", ["1 0 0", "1 1 0", "2 1 0"])
def test_what_slides_one_way_is_held_as_well(axis: str, condim: int, tmp_path: Path) -> None:
    """With fewer ways to move than a contact has tangents, A is singular."""
    for cone in CONES:
        pair = written(ONE_WAY.format(axis=axis, condim=condim), tmp_path)
        pair.with_cone(cone)
        mujoco.mj_forward(pair.theirs, pair.data)
        state = pair.data.qpos.copy(), np.zeros(2), np.array([0.5, 0.0])
        soft = forced(pair, cone, state)
        held_fast = forced(pair, cone, state, noslip=(100, 0.0))
        assert soft.qacc[0] > 1e-3
        assert abs(held_fast.qacc[0]) < 1e-9


SLIDING = [(cone, condim) for cone in CONES for condim in (3, 4, 6)]
INCLINE = """
    <option timestep=".002" gravity="{along} 0 -9" {noslip}/><worldbody>
      <geom type="plane" size="5 5 1" friction=".1 0 0"/><body pos="0 0 .0999"><freejoint/>
      <geom type="box" size=".1 .1 .1" mass="{mass}" condim="{condim}" friction=".6 .05 .01"/>
      </body></worldbody>"""


def slid(pair: Held, cone: str, seconds: float, integrator: str = "euler") -> Array:
    """x and its velocity after a second, and after `seconds` more."""
    made = []
    mujoco.mj_resetData(pair.theirs, pair.data)
    start, acting = at(pair)
    run = native.Simulation(
        pair.with_cone(cone), make_contact_world(pair.model), dt=0.002, integrator=integrator
    )
    for duration in (1.0, seconds):
        start = run.run(start, acting, steps=round(duration / 0.002)).last
        made.append((start.q[0, 0], start.v[0, 0]))
    return np.array(made)


@pytest.mark.parametrize("integrator", native.INTEGRATORS)
@pytest.mark.parametrize("mass", [0.1, 1000.0])
@pytest.mark.parametrize(("cone", "condim"), SLIDING)
def test_a_box_on_an_incline_creeps_without_and_stands_with_it(
    cone: str, condim: int, mass: float, integrator: str, tmp_path: Path
) -> None:
    """Pushed by less than friction holds, of a pyramid each of its pairs of edges by itself; and by
    more: then it slides all the same."""
    moved, less = {}, 4.0 if cone == "elliptic" else 0.9
    for along in (less, 6.3):
        for passes in (0, 30):
            noslip = f'noslip_iterations="{passes}" noslip_tolerance="0"'
            text = INCLINE.format(along=along, noslip=noslip, condim=condim, mass=mass)
            path = slid(written(text, tmp_path / f"{along}-{passes}"), cone, 1.0, integrator)
            moved[along, passes] = path[1, 0] - path[0, 0]
    assert moved[less, 0] > 1e-4
    assert abs(moved[less, 30]) < 1e-6
    assert moved[6.3, 30] == pytest.approx(moved[6.3, 0], rel=0.2)
    assert moved[6.3, 30] > 0.5


@pytest.mark.parametrize("cone", CONES)
def test_dry_friction_holds_a_joint_and_a_tendon_still(cone: str, tmp_path: Path) -> None:
    text = """<option gravity="0 0 0"/><worldbody>
      <body><joint name="a" type="slide" frictionloss="2"/><geom size=".1" mass="1"/></body>
      <body><joint name="b" type="slide" axis="0 1 0"/><geom size=".1" mass="1"/></body></worldbody>
      <tendon><fixed frictionloss="1"><joint joint="b" coef="2"/></fixed></tendon>"""
    pair = written(text, tmp_path)
    for push, expected in (((1.9, -1.9), (0.0, 0.0)), ((3.0, 7.0), (1.0, 5.0))):
        state = np.zeros(2), np.zeros(2), np.array(push)
        ours = forced(pair, cone, state, noslip=(2, 1e-6))
        assert_allclose(ours.qacc, expected, atol=1e-12)


def test_what_is_elsewhere_changes_nothing(tmp_path: Path) -> None:
    """Each island makes as many passes as it needs by itself."""
    settings = 'noslip_iterations="50" noslip_tolerance="1e-3"'
    box = INCLINE.format(along=4.0, noslip=settings, condim=4, mass=1)
    other = """<body pos="3 3 .1"><joint frictionloss="9"/><geom size=".5" mass="500"/></body>
      <body pos="-3 3 .0999"><freejoint/><geom type="box" size=".2 .2 .1"/></body></worldbody>"""
    alone = slid(written(box, tmp_path / "a"), "elliptic", 0.1)
    among = slid(written(box.replace("</worldbody>", other), tmp_path / "b"), "elliptic", 0.1)
    assert_array_equal(alone, among)


def test_a_negative_number_of_passes_is_refused(tmp_path: Path) -> None:
    pair = written('<worldbody><body><joint/><geom size=".1"/></body></worldbody>', tmp_path)
    with pytest.raises(ValueError, match="noslip must not be a negative"):
        native.Constraints(pair.ours, **pair.arrays | {"noslip": (-1, 0.0)})
