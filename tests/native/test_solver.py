"""Accelerations under constraints: against a tight MuJoCo's at its contacts, and in closed form."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from phyzctl import native
from phyzctl.spatial import Array
from tests.native.held import CONES, Held, held, written
from tests.native.smooth import all_scenes, quick_files
from tests.native.test_constraints import EQUALITIES, HEAP, TREE, active

mujoco = pytest.importorskip("mujoco")

# Costs so flat that what is left to gain says little of how far away the minimum is.
FLAT = {"cube_3x3x3.xml": 1e-22}
GATE = 1e-8
# MuJoCo's noslip on cones of six directions stops short of what costs least: see test_noslip.
ROLLING = 1e-3


def solved(pair: Held, cone: str, state: tuple[Array, Array, Array], **options: Any) -> native.Held:
    q, v, ctrl = state
    contacts, dt = pair.contacts(), pair.theirs.opt.timestep
    return native.forward_held(
        pair.with_cone(cone), q, v, ctrl, dt=dt, contacts=contacts, **options
    )


def norm(x: Array, M: Array) -> float:
    return math.sqrt(float(x @ M @ x))


def compare(pair: Held, states: int, *, tolerance: float = 1e-18, **options: Any) -> None:
    rolling = pair.theirs.opt.noslip_iterations > 0 and pair.theirs.geom_condim.max() > 4
    for cone in CONES:
        pair.with_cone(cone)
        gate = ROLLING if cone == "elliptic" and rolling else GATE
        for state in pair.near_states(states):
            M, theirs = pair.mass_matrix(), pair.data.qacc.copy()
            ours = solved(pair, cone, state, tolerance=tolerance, **options)
            assert not ours.capped
            assert norm(ours.qacc - theirs, M) <= gate * norm(theirs, M)


@pytest.mark.parametrize("path", quick_files())
def test_acceleration_equals_mujocos(path: Path) -> None:
    compare(held(path), 4)


@pytest.mark.slow
@pytest.mark.parametrize("path", all_scenes())
def test_acceleration_equals_mujocos_on_every_robot(path: Path) -> None:
    compare(held(path), 6, tolerance=FLAT.get(path.name, 1e-18))


@pytest.mark.parametrize("name", EQUALITIES)
def test_every_kind_of_equality(name: str, tmp_path: Path) -> None:
    pair = written(f"{TREE}<equality>{EQUALITIES[name]}</equality>", tmp_path)
    compare(pair, 6, eq_active=active(pair))


@pytest.mark.parametrize("condim", [1, 3, 4, 6])
def test_every_dimension_of_contact(condim: int, tmp_path: Path) -> None:
    compare(written(HEAP.format(condim=condim, impratio=5, flag=""), tmp_path), 10)


def test_the_answer_does_not_depend_on_where_it_starts(tmp_path: Path) -> None:
    pair = written(HEAP.format(condim=4, impratio=1, flag=""), tmp_path)
    rng = np.random.default_rng(1)
    for cone in CONES:
        pair.with_cone(cone)
        for state in pair.near_states(4):
            cold = solved(pair, cone, state, tolerance=1e-20)
            for scale in (1.0, 1e3, 1e6):
                warm = rng.normal(0.0, scale, len(cold.qacc))
                again = solved(pair, cone, state, tolerance=1e-20, warmstart=warm)
                assert_allclose(again.qacc, cold.qacc, rtol=1e-8, atol=1e-7)
            at_once = solved(pair, cone, state, warmstart=cold.qacc)
            assert at_once.iterations <= 1


def test_the_force_is_what_moves_it(tmp_path: Path) -> None:
    """M qacc is all that acts on the unconstrained body, plus J'f."""
    pair = written(HEAP.format(condim=3, impratio=1, flag=""), tmp_path)
    for state in pair.near_states(6):
        q, v, ctrl = (part[None] for part in state)
        ours = solved(pair, "elliptic", state, tolerance=1e-22)
        free = native.forward(pair.ours, q, v, ctrl)
        (M,) = native.mass_matrix(pair.ours, q)
        assert_allclose(M @ (ours.qacc - free.qacc[0]), ours.force, atol=1e-6)


CUBE = """
    <option timestep=".001"/><worldbody><geom type="plane" size="5 5 1"/><body pos="0 0 {z}">
    <freejoint/><geom type="sphere" size=".1" mass="{mass}"/></body></worldbody>"""


@pytest.mark.parametrize("mass", [0.01, 1.0, 100.0])
def test_rest_depth_of_a_sphere(mass: float, tmp_path: Path) -> None:
    """It lies still where depth d² = g (1 - d) dw² tc², whatever its mass."""

    def d(depth: float) -> float:
        x = depth / 0.001
        y = x * x / 0.5 if x <= 0.5 else 1.0 - (1.0 - x) ** 2 / 0.5
        return 0.9 + y * 0.05

    depth = 0.0
    for _ in range(50):
        depth = 9.81 * (1.0 - d(depth)) * (0.95 * 0.02 / d(depth)) ** 2
    pair = written(CUBE.format(z=0.1 - depth, mass=mass), tmp_path)
    mujoco.mj_forward(pair.theirs, pair.data)
    pair.with_cone("elliptic")
    mujoco.mj_forward(pair.theirs, pair.data)
    ours = solved(pair, "elliptic", (pair.data.qpos.copy(), np.zeros(6), np.zeros(6)))
    assert_allclose(ours.qacc, 0.0, atol=1e-9)
    assert_allclose(ours.force[2], 9.81 * mass, rtol=1e-9)


def test_dry_friction_holds_up_to_its_force(tmp_path: Path) -> None:
    text = """<option gravity="0 0 0"/><worldbody><body><joint type="slide" frictionloss="2"/>
      <geom size=".1" mass="1"/></body></worldbody>"""
    pair = written(text, tmp_path)
    q, v = np.zeros(1), np.zeros(1)
    for push, expected in ((1.0, 0.0), (-1.9, 0.0), (3.0, 1.0), (-7.0, -5.0)):
        ours = native.forward_held(pair.with_cone("elliptic"), q, v, np.array([push]), dt=0.002)
        # Within its force it gives way by 1 - d of what pushes: here d is 0.9.
        allowed = 0.1 * abs(push) + 1e-12 if expected == 0.0 else 1e-9
        assert abs(ours.qacc[0] - expected) <= allowed


def test_sliding_friction_is_the_coefficient_times_the_load(tmp_path: Path) -> None:
    text = """<worldbody><geom type="plane" size="5 5 1" friction=".4"/><body pos="0 0 .0999">
      <freejoint/><geom type="box" size=".1 .1 .1" mass="2" friction=".4"/></body></worldbody>"""
    pair = written(text, tmp_path)
    pair.with_cone("elliptic")
    mujoco.mj_resetData(pair.theirs, pair.data)
    pair.data.qvel[:2] = 0.6, 0.8
    mujoco.mj_forward(pair.theirs, pair.data)
    state = pair.data.qpos.copy(), pair.data.qvel.copy(), np.zeros(6)
    ours = solved(pair, "elliptic", state)
    load = ours.force[2]
    assert_allclose(math.hypot(*ours.force[:2]), 0.4 * load, rtol=2e-3)
    assert_allclose(ours.force[:2] / math.hypot(*ours.force[:2]), [-0.6, -0.8], atol=1e-9)


def test_the_cap_is_reported(tmp_path: Path) -> None:
    pair = written(HEAP.format(condim=3, impratio=10, flag=""), tmp_path)
    reports = []
    for state in pair.near_states(8):
        ours = solved(pair, "elliptic", state, iterations=1, tolerance=1e-20)
        reports.append(ours.capped)
        assert ours.iterations <= 1
        assert np.isfinite(ours.qacc).all()
        assert ours.gap >= -1e-20
    assert any(reports)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"q": np.zeros(3)}, "q must have shape"),
        ({"ctrl": np.zeros(3)}, "ctrl must have shape"),
        ({"warmstart": np.zeros(3)}, "warmstart must have shape"),
        ({"applied": np.zeros((1, 1))}, "applied must have shape"),
        ({"eq_active": np.zeros(2, np.bool_)}, "eq_active must have shape"),
        ({"eq_active": np.zeros(0)}, "eq_active must have dtype"),
    ],
)
def test_impossible_arguments_are_refused(
    change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    pair = written('<worldbody><body><joint/><geom size=".1"/></body></worldbody>', tmp_path)
    given: dict[str, Any] = {"q": np.zeros(1), "v": np.zeros(1), "ctrl": np.zeros(1), "dt": 0.001}
    with pytest.raises(ValueError, match=message):
        native.forward_held(pair.with_cone("elliptic"), **given | change)
