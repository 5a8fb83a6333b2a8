"""Strings around spheres and cylinders: MuJoCo's lengths, and that none is shorter."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from phyzctl import native
from phyzctl.spatial import Array
from tests.native.smooth import Twins, twins, twins_of
from tests.native.test_dynamics import arrays, chain

mujoco = pytest.importorskip("mujoco")

RADIUS = 0.3
# Two points that slide anywhere, and an obstacle on a turned body.
TEXT = """<mujoco><worldbody><body name="post" euler="20 30 40"><geom name="post" type="{shape}"
    size=".3 .1" pos=".02 .01 0"/>{side}</body>
  <body><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="slide"/>
    <geom size=".1"/><site name="a"/></body>
  <body><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="slide"/>
    <geom size=".1"/><site name="b"/></body></worldbody>
  <tendon><spatial name="t"><site site="a"/><geom geom="post" {by}/><site site="b"/></spatial>
  </tendon><actuator><motor tendon="t"/></actuator></mujoco>"""
SIDES = {"free": None, "outside": "-.5 .2 .3", "inside": ".05 -.1 .02"}
SHAPES = ("sphere", "cylinder")


def string(shape: str, side: str | None, tmp_path: Path) -> Twins:
    site = "" if side is None else f'<site name="side" pos="{side}"/>'
    by = "" if side is None else 'sidesite="side"'
    twins.cache_clear()
    return twins_of(TEXT.format(shape=shape, side=site, by=by), tmp_path)


def reach(pair: Twins, q: Array) -> tuple[float, Array]:
    lengths, moments = native.transmissions(pair.ours, np.ascontiguousarray(q)[None])
    return float(lengths[0, 0]), moments[0, 0]


def states(pair: Twins, count: int, seed: int = 1) -> Array:
    found: Array = np.random.default_rng(seed).uniform(-0.7, 0.7, (count, pair.theirs.nq))
    return found


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("shape", SHAPES)
def test_lengths_and_moments_are_those_of_mujoco(shape: str, side: str, tmp_path: Path) -> None:
    """MuJoCo looks for the point that is touched from within to some 1e-6 only."""
    pair, wrapped = string(shape, SIDES[side], tmp_path), 0
    gate = 1e-5 if side == "inside" else 1e-12
    for q in states(pair, 400):
        pair.data.qpos[:] = q
        mujoco.mj_forward(pair.theirs, pair.data)
        length, moment = reach(pair, q)
        assert_allclose(length, pair.data.actuator_length[0], rtol=gate)
        theirs = np.zeros((1, pair.theirs.nv))
        data = pair.data
        mujoco.mju_sparse2dense(
            theirs, data.actuator_moment, data.moment_rownnz, data.moment_rowadr, data.moment_colind
        )
        assert_allclose(moment, theirs[0], atol=1e3 * gate)
        wrapped += int(data.ten_wrapnum[0] == 4)
    assert wrapped > 30


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("shape", SHAPES)
def test_moments_are_derivatives_of_lengths(shape: str, side: str, tmp_path: Path) -> None:
    pair, step, jumps = string(shape, SIDES[side], tmp_path), 1e-6, 0
    for q in states(pair, 100, seed=2):
        _, moment = reach(pair, q)
        for d, derivative in enumerate(moment):
            ahead, back = q.copy(), q.copy()
            ahead[d], back[d] = q[d] + step, q[d] - step
            slope = (reach(pair, ahead)[0] - reach(pair, back)[0]) / (2.0 * step)
            jumps += int(abs(slope - derivative) > 1e-6)
    assert (
        jumps <= 2
    )  # where an end goes through the ray opposite of the side, the string snaps off


def frame() -> tuple[Array, Array]:
    """Axes (3, 3) and centre (3,) of the obstacle in the world."""
    axes, quat = np.zeros((3, 3)), np.zeros(4)
    mujoco.mju_euler2Quat(quat, np.radians([20.0, 30.0, 40.0]), "xyz")
    mujoco.mju_quat2Mat(axes.reshape(9), quat)
    return axes, axes @ np.array([0.02, 0.01, 0.0])


def ends(q: Array) -> tuple[Array, Array]:
    """Where the two points are in the frame of the obstacle."""
    axes, centre = frame()
    return axes.T @ (q[:3] - centre), axes.T @ (q[3:] - centre)


def round_sphere(a: Array, b: Array) -> float:
    """Two tangents and an arc, in the plane of both points and the centre; or straight."""
    x = a / np.linalg.norm(a)
    y = np.cross(np.cross(a, b), a)
    y /= np.linalg.norm(y)
    points = np.array([[a @ x, a @ y], [b @ x, b @ y]])
    far = np.linalg.norm(points, axis=1)
    whole = math.acos(np.clip(points[0] @ points[1] / far.prod(), -1.0, 1.0))
    free = whole - np.arccos(RADIUS / far).sum()
    straight = float(np.linalg.norm(points[1] - points[0]))
    if free <= 0.0:
        return straight
    return float(np.sqrt(far**2 - RADIUS**2).sum() + RADIUS * free)


def test_a_string_round_a_sphere_is_tangents_and_an_arc(tmp_path: Path) -> None:
    pair, arcs = string("sphere", None, tmp_path), 0
    for q in states(pair, 200, seed=3):
        a, b = ends(q)
        if min(np.linalg.norm(a), np.linalg.norm(b)) > RADIUS:
            length, _ = reach(pair, q)
            assert_allclose(length, round_sphere(a, b), rtol=1e-12)
            arcs += int(length > np.linalg.norm(a - b) + 1e-9)
    assert arcs > 30


def test_a_string_that_touches_from_within_is_the_shortest_that_does(tmp_path: Path) -> None:
    pair, touching = string("sphere", SIDES["inside"], tmp_path), 0
    angles = np.linspace(0.0, 1.0, 2001)
    for q in states(pair, 200, seed=4):
        a, b = ends(q)
        length, _ = reach(pair, q)
        if length <= np.linalg.norm(a - b) + 1e-9:
            continue
        touching += 1
        x, z = a / np.linalg.norm(a), b / np.linalg.norm(b)
        whole = math.acos(np.clip(x @ z, -1.0, 1.0))
        y = (z - (x @ z) * x) / math.sin(whole)
        at = RADIUS * (np.outer(np.cos(whole * angles), x) + np.outer(np.sin(whole * angles), y))
        others = np.linalg.norm(at - a, axis=1) + np.linalg.norm(at - b, axis=1)
        assert length <= others.min() + 1e-12
        assert length >= others.min() - 1e-4 * whole
    assert touching > 30


def test_a_string_wraps_without_a_jump(tmp_path: Path) -> None:
    """Past the rim of a sphere: where it begins to touch, its length grows slowly."""
    pair, (axes, centre) = string("sphere", None, tmp_path), frame()
    for miss in np.geomspace(1e-12, 1e-3, 10):
        lengths = []
        for sign in (-1.0, 1.0):
            height = RADIUS + sign * miss
            points = np.array([[-0.5, height, 0.0], [0.5, height, 0.0]])
            lengths.append(reach(pair, (points @ axes.T + centre).ravel())[0])
        assert lengths[1] == pytest.approx(1.0, abs=1e-14)
        assert 0.0 <= lengths[0] - 1.0 + 1e-14 <= 20.0 * miss**1.5 + 2e-14


BROKEN = {
    "around nothing": [[1, 0, -2], [0, 0, -2]],
    "alone": [[0, 0, -2]],
    "geoms in a row": [[0, 0, -2], [1, 0, -2], [2, 0, -2], [0, 0, -2]],
    "no body": [[0, 2, -2], [0, 0, -2]],
    "no side": [[0, 0, -2], [1, 0, 2], [0, 0, -2]],
    "no kind": [[4, 0, -2], [0, 0, -2]],
}


@pytest.mark.parametrize("steps", BROKEN.values(), ids=BROKEN)
def test_paths_that_lead_nowhere_are_refused(steps: list[list[int]]) -> None:
    given = arrays(2, 2, 2) | {
        "tendon_start": np.zeros(2, np.int32),
        "step_start": np.array([0, len(steps)], np.int32),
        "step_body": np.array(steps, np.int32),
        "step_frame": np.tile([0.0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], (len(steps), 1)),
        **{f"tendon_{name}": np.zeros(1) for name in ("stiffness", "damping")},
        **{f"tendon_{name}": np.zeros((1, 2)) for name in ("rest", "force_range")},
    }
    with pytest.raises(ValueError, match="leads nowhere"):
        native.Dynamics(chain(3, 3), **given)
