"""The kernel's forward kinematics against products of matrices, and its own sine and cosine."""

from __future__ import annotations

import math
import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from phyzctl import native
from phyzctl.native import System, kinematics, places, pose_matrices
from phyzctl.spatial import (
    inverse,
    pose,
    quat_multiply,
    rotation_from_axis_angle,
    rotation_from_quat,
)

Floats = NDArray[np.float64]
FREE, BALL, SLIDE, HINGE, FIXED = range(5)
SIZES = {FREE: 7, BALL: 4, SLIDE: 1, HINGE: 1, FIXED: 0}
SEEDS = st.integers(0, 2**32 - 1)


def arrays(
    parents: list[int], joints: list[list[int]], seed: int = 0, geoms: int = 3
) -> dict[str, Any]:
    """Random arrays of a System: a parent and the types of its joints for every body."""
    rng = np.random.default_rng(seed)
    types = [joint for group in joints for joint in group]
    sizes = [SIZES[joint] for joint in types]
    starts = np.concatenate([[0], np.cumsum([len(group) for group in joints])])
    axes = rng.normal(size=(len(types), 3))
    return {
        "nq": sum(sizes),
        "body_parent": np.array(parents, np.int32),
        "body_pos": rng.normal(size=(len(parents), 3)),
        "body_quat": unit_rows(rng.normal(size=(len(parents), 4))),
        "joint_start": starts.astype(np.int32),
        "joint_type": np.array(types, np.int32),
        "joint_axis": unit_rows(axes),
        "joint_anchor": rng.normal(size=(len(types), 3)) * rng.integers(0, 2, (len(types), 1)),
        "joint_ref": rng.normal(size=len(types)),
        "q_offset": np.concatenate([[0], np.cumsum(sizes)])[:-1].astype(np.int32),
        "geom_body": rng.integers(-1, len(parents), geoms).astype(np.int32),
        "geom_pos": rng.normal(size=(geoms, 3)),
        "geom_quat": unit_rows(rng.normal(size=(geoms, 4))),
    }


def unit_rows(rows: Floats) -> Floats:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True) if len(rows) else rows


def reference(a: dict[str, Any], q: Floats) -> Floats:
    """The place of every body by products of homogeneous matrices, one joint after the other."""
    placed: list[Floats] = []
    for body, parent in enumerate(a["body_parent"]):
        X = pose(a["body_pos"][body], quat=a["body_quat"][body])
        for joint in range(a["joint_start"][body], a["joint_start"][body + 1]):
            X = moved(X, a, joint, q[a["q_offset"][joint] :])
        placed.append(X if parent < 0 else placed[parent] @ X)
    return np.array(placed).reshape(len(placed), 4, 4)


def moved(X: Floats, a: dict[str, Any], joint: int, q: Floats) -> Floats:
    axis, ref = a["joint_axis"][joint], a["joint_ref"][joint]
    kind, turn = a["joint_type"][joint], np.eye(4)
    if kind == FREE:
        return pose(q[:3], quat=q[3:7])
    if kind == SLIDE:
        return X @ pose((q[0] - ref) * axis)
    if kind == HINGE:
        turn[:3, :3] = rotation_from_axis_angle(axis, q[0] - ref)
    elif kind == BALL:
        turn[:3, :3] = rotation_from_quat(q[:4])
    anchor = pose(a["joint_anchor"][joint])
    return X @ anchor @ turn @ inverse(anchor)


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[int], list[list[int]]]:
    count = draw(st.integers(0, 6))
    parents = [draw(st.integers(-1, body - 1)) for body in range(count)]
    joints = [draw(st.lists(st.sampled_from(list(SIZES)), max_size=3)) for _ in range(count)]
    return parents, joints


@given(trees(), SEEDS, st.integers(0, 5))
def test_bodies_and_geoms_are_where_matrices_put_them(
    tree: tuple[list[int], list[list[int]]], seed: int, count: int
) -> None:
    a = arrays(*tree, seed)
    q = np.random.default_rng(seed).normal(size=(count, a["nq"]))
    poses = kinematics(System(**a), q)
    assert poses.bodies.shape == (count, len(tree[0]), 7)
    assert poses.geoms.shape == (count, 3, 7)
    for row in range(count):
        expected = reference(a, q[row])
        assert_allclose(pose_matrices(poses.bodies[row]), expected, atol=1e-12)
        X_WG = pose_matrices(poses.geoms[row])
        for geom, body in enumerate(a["geom_body"]):
            X_WB = np.eye(4) if body < 0 else expected[body]
            X_BG = pose(a["geom_pos"][geom], quat=a["geom_quat"][geom])
            assert_allclose(X_WG[geom], X_WB @ X_BG, atol=1e-12)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 8, 9])
def test_a_configuration_gets_the_same_bits_in_any_company(count: int) -> None:
    a = arrays([-1, 0, 1, 0], [[FREE], [HINGE, SLIDE], [BALL], [HINGE]], seed=3)
    system, q = System(**a), np.random.default_rng(3).normal(size=(9, a["nq"]))
    everything, some = kinematics(system, q), kinematics(system, q[:count])
    assert everything.bodies[:count].tobytes() == some.bodies.tobytes()
    alone = kinematics(system, q[count - 1 : count])
    assert everything.geoms[count - 1].tobytes() == alone.geoms.tobytes()
    assert places(system, q[:count]).tobytes() == some.bodies.tobytes()


def test_quaternions_stay_unit_over_a_long_chain() -> None:
    count = 5000
    a = arrays(list(range(-1, count - 1)), [[HINGE]] * count, seed=1, geoms=0)
    a["body_pos"] = np.zeros((count, 3))
    q = np.random.default_rng(1).uniform(-3, 3, (1, count))
    last = kinematics(System(**a), q).bodies[0, -1, 3:]
    assert_allclose(np.linalg.norm(last), 1.0, atol=1e-15)
    expected = np.array([1.0, 0.0, 0.0, 0.0])
    for body in range(count):
        half = 0.5 * (q[0, body] - a["joint_ref"][body])
        turn = np.array([math.cos(half), *(math.sin(half) * a["joint_axis"][body])])
        expected = quat_multiply(quat_multiply(expected, a["body_quat"][body]), turn)
    assert_allclose(last, expected, atol=1e-11)


def hinge() -> System:
    """One body that turns about z."""
    a = arrays([-1], [[HINGE]], geoms=0)
    a |= {"body_pos": np.zeros((1, 3)), "body_quat": np.array([[1.0, 0.0, 0.0, 0.0]])}
    a |= {"joint_axis": np.array([[0.0, 0.0, 1.0]]), "joint_anchor": np.zeros((1, 3))}
    return System(**a | {"joint_ref": np.zeros(1)})


def half_angles(angles: NDArray[np.floating]) -> tuple[Floats, Floats]:
    """The kernel's sine and cosine of half of each angle."""
    rows = kinematics(hinge(), np.array(angles[:, None], np.float64)).bodies[:, 0]
    return rows[:, 6], rows[:, 3]


@pytest.mark.parametrize("scale", [1e-8, 1.0, 100.0, 1e5, 1.9e6])
def test_sine_and_cosine_are_within_their_last_place(scale: float) -> None:
    angles = np.random.default_rng(7).uniform(-scale, scale, 100_000)
    sine, cosine = half_angles(angles)
    assert_allclose(sine, np.sin(angles / 2), rtol=5e-16, atol=3e-16)
    assert_allclose(cosine, np.cos(angles / 2), rtol=5e-16, atol=3e-16)


def test_sine_is_as_exact_beside_its_zeros() -> None:
    """2 k pi rounded to a double lies off the zero of sin(x / 2) by a known rest."""
    multiples = np.arange(1, 2000)
    angles = 2.0 * np.pi * multiples
    sine, _ = half_angles(angles)
    assert_allclose(sine, np.sin(angles / 2), rtol=0, atol=3e-16)
    assert np.abs(sine).max() < 1e-11


def test_quarter_turns_are_exact_in_every_quadrant() -> None:
    angles = np.pi * np.arange(-8, 9)
    sine, cosine = half_angles(angles)
    assert_allclose(sine, np.sin(angles / 2), atol=4e-16)
    assert_allclose(cosine, np.cos(angles / 2), atol=4e-16)


@pytest.mark.parametrize("angle", [1e7, 1e12, 1e200, -1e300, 1.7e308, 5e-324, 0.0])
def test_any_finite_angle_gives_a_unit_quaternion(angle: float) -> None:
    quat = kinematics(hinge(), np.array([[angle]])).bodies[0, 0, 3:]
    assert_allclose(np.linalg.norm(quat), 1.0, atol=1e-15)


@pytest.mark.parametrize("angle", [math.nan, math.inf, -math.inf])
def test_what_is_no_angle_gives_nan_in_its_own_row_only(angle: float) -> None:
    bodies = kinematics(hinge(), np.array([[1.0], [angle], [1.0]])).bodies
    assert np.isnan(bodies[1, 0, 3:]).all()
    assert np.isfinite(bodies[[0, 2]]).all()


def test_a_quaternion_of_any_length_counts_as_a_unit_one_and_zero_as_no_turn() -> None:
    a = arrays([-1], [[BALL]], geoms=0)
    quat = np.array([0.1, -0.2, 0.3, 0.4])
    rows = kinematics(System(**a), np.array([quat, 7.0 * quat, 0.0 * quat])).bodies
    assert_allclose(rows[0], rows[1], atol=1e-15)
    assert_allclose(rows[2, 0, 3:], a["body_quat"][0], atol=1e-15)


def test_a_system_is_a_copy() -> None:
    a = arrays([-1, 0], [[HINGE], [HINGE]])
    system, q = System(**a), np.zeros((1, 2))
    before = kinematics(system, q).bodies
    for array in a.values():
        if isinstance(array, np.ndarray):
            array[...] = 0
    assert kinematics(system, q).bodies.tobytes() == before.tobytes()


def test_nothing_at_all_is_a_system_too() -> None:
    poses = kinematics(System(**arrays([], [], geoms=0)), np.zeros((2, 0)))
    assert (poses.bodies.shape, poses.geoms.shape) == ((2, 0, 7), (2, 0, 7))
    assert pose_matrices(poses.bodies.reshape(0, 7)).shape == (0, 4, 4)


WRONG_INDICES = [
    ("body_parent", 0, -2, r"body_parent\[0\]"),
    ("body_parent", 0, 0, r"body_parent\[0\]"),
    ("body_parent", 1, 2, r"body_parent\[1\]"),
    ("joint_start", 0, 1, r"joint_start\[0\]"),
    ("joint_start", 1, 9, r"joint_start\[1\]"),
    ("joint_start", 1, -1, r"joint_start\[0\]"),
    ("joint_start", 2, 1, r"joint_start\[0\]"),
    ("joint_type", 1, 5, r"joint_type\[1\]"),
    ("joint_type", 1, -1, r"joint_type\[1\]"),
    ("joint_type", 1, FREE, r"q_offset\[1\]"),
    ("q_offset", 1, 2, r"q_offset\[1\]"),
    ("q_offset", 0, -1, r"q_offset\[0\]"),
    ("q_offset", 0, 2**31 - 1, r"q_offset\[0\]"),
    ("geom_body", 2, 2, r"geom_body\[2\]"),
    ("geom_body", 0, -2, r"geom_body\[0\]"),
]


@pytest.mark.parametrize(("name", "place", "value", "message"), WRONG_INDICES)
def test_an_index_that_points_nowhere_is_refused(
    name: str, place: int, value: int, message: str
) -> None:
    a = arrays([-1, 0], [[HINGE], [HINGE]])
    a[name][place] = value
    with pytest.raises(ValueError, match=message):
        System(**a)


@pytest.mark.parametrize("name", [name for name in arrays([], []) if name != "nq"])
def test_arrays_of_the_wrong_kind_are_refused(name: str) -> None:
    a = arrays([-1, 0], [[HINGE], [HINGE]])
    good = a[name]
    other = np.float32 if good.dtype == np.float64 else np.int64
    for bad in (good.astype(other), good[..., None], np.asfortranarray(np.stack([good] * 2, 1))):
        with pytest.raises(ValueError, match=name):
            System(**a | {name: bad})


@pytest.mark.parametrize(
    ("q", "message"),
    [
        (np.zeros(1), "shape"),
        (np.zeros((1, 2)), r"shape \(n, 1\)"),
        (np.zeros((1, 1), np.float32), "dtype"),
        (np.zeros((2, 2))[:, :1], "C-contiguous"),
        ([[0.0]], "dtype"),
    ],
)
def test_configurations_of_the_wrong_kind_are_refused(q: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        kinematics(hinge(), q)


def test_poses_of_the_wrong_kind_are_refused() -> None:
    with pytest.raises(ValueError, match="shape"):
        pose_matrices(np.zeros((2, 6)))


def test_threads_share_a_system() -> None:
    a = arrays([-1, 0, 1], [[FREE], [HINGE], [BALL]])
    system, q = System(**a), np.random.default_rng(0).normal(size=(500, a["nq"]))
    expected = kinematics(system, q).bodies.tobytes()
    results: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: results.append(kinematics(system, q).bodies.tobytes()))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 4


def test_the_door_offers_what_it_names() -> None:
    assert {"System", "kinematics", "pose_matrices"} <= set(vars(native))
