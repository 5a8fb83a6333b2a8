"""Poses, rotations and inertias against Pinocchio, MuJoCo, numpy and closed forms."""

from __future__ import annotations

import math
from itertools import pairwise

import mujoco
import numpy as np
import pinocchio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from phyzctl import spatial
from phyzctl.errors import PhyzctlError
from phyzctl.geometry.primitives import unit_inertia, volume
from phyzctl.geometry.shapes import Box
from phyzctl.spatial import RigidInertia
from phyzctl.tensor import symmetric_eigenvalues

Array = NDArray[np.float64]

ANGLES = st.floats(-10.0, 10.0)
RPY = st.tuples(ANGLES, ANGLES, ANGLES)
LENGTHS = st.floats(-100.0, 100.0)
POINTS = st.tuples(LENGTHS, LENGTHS, LENGTHS)
RIGHT = math.pi / 2


def close(a: object, b: object, atol: float = 1e-14) -> None:
    np.testing.assert_allclose(np.asarray(a, float), np.asarray(b, float), rtol=0.0, atol=atol)


def same_rotation(a: Array, b: Array, atol: float = 1e-14) -> None:
    """Two quaternions up to their sign."""
    close(a if a @ b >= 0.0 else -a, b, atol)


def random_rotation(rng: np.random.Generator) -> Array:
    return spatial.rotation_from_quat(rng.normal(size=4))


# Poses


def test_a_pose_without_arguments_is_the_identity() -> None:
    close(spatial.pose(), np.eye(4), 0.0)
    close(spatial.identity(), np.eye(4), 0.0)


@given(POINTS, RPY)
def test_pose_equals_pinocchio(xyz: tuple[float, ...], rpy: tuple[float, ...]) -> None:
    theirs = pinocchio.SE3(pinocchio.rpy.rpyToMatrix(*rpy), np.array(xyz))
    close(spatial.pose(xyz, rpy), theirs.homogeneous)
    close(spatial.inverse(spatial.pose(xyz, rpy)), theirs.inverse().homogeneous, 1e-12)


def test_quat_wins_over_rpy_and_is_normalised() -> None:
    X = spatial.pose((1.0, 2.0, 3.0), (0.1, 0.2, 0.3), (0.0, 0.0, 0.0, -7.0))
    close(X, [[-1, 0, 0, 1], [0, -1, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]])


@given(POINTS, RPY)
def test_a_pose_times_its_inverse_is_the_identity(
    xyz: tuple[float, ...], rpy: tuple[float, ...]
) -> None:
    X = spatial.pose(xyz, rpy)
    close(X @ spatial.inverse(X), np.eye(4), 1e-12)


# Rotations


@given(RPY)
def test_every_way_to_write_a_rotation_is_the_same(rpy: tuple[float, ...]) -> None:
    R = spatial.rotation_from_rpy(rpy)
    close(R, pinocchio.rpy.rpyToMatrix(*rpy))
    quat = spatial.quat_from_rpy(rpy)
    close(spatial.rotation_from_quat(quat), R)
    assert spatial.quat_from_rotation(R)[0] >= 0.0
    same_rotation(spatial.quat_from_rotation(R), quat)
    close(spatial.rotation_from_rpy(spatial.rpy_from_rotation(R)), R)


@pytest.mark.parametrize("pitch", [RIGHT, -RIGHT, RIGHT - 1e-9, RIGHT - 1e-13, -RIGHT + 1e-16])
@pytest.mark.parametrize("yaw", [0.0, 0.7, -3.0])
def test_rpy_survives_gimbal_lock(pitch: float, yaw: float) -> None:
    R = spatial.rotation_from_rpy((0.4, pitch, yaw))
    close(spatial.rotation_from_rpy(spatial.rpy_from_rotation(R)), R)


def test_exact_gimbal_lock_has_no_yaw() -> None:
    R = np.array([[0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0]])
    close(spatial.rpy_from_rotation(R), [-RIGHT, RIGHT, 0.0])


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, -2, 3)])
@pytest.mark.parametrize("angle", [math.pi, math.pi - 1e-9, 1e-9, 3.0, 0.0])
def test_a_quaternion_keeps_its_digits_near_half_a_turn(
    axis: tuple[float, ...], angle: float
) -> None:
    R = spatial.rotation_from_axis_angle(axis, angle)
    close(spatial.rotation_from_quat(spatial.quat_from_rotation(R)), R, 1e-15)


@given(POINTS.filter(lambda axis: math.hypot(*axis) > 1e-6), ANGLES)
def test_axis_angle_equals_mujoco(axis: tuple[float, ...], angle: float) -> None:
    theirs = np.empty(4)
    mujoco.mju_axisAngle2Quat(theirs, np.array(axis) / math.hypot(*axis), angle)
    close(spatial.quat_from_axis_angle(axis, angle), theirs)


@given(RPY, RPY)
def test_a_product_turns_one_after_the_other(a: tuple[float, ...], b: tuple[float, ...]) -> None:
    product = spatial.quat_multiply(spatial.quat_from_rpy(a), spatial.quat_from_rpy(b))
    R = spatial.rotation_from_rpy(a) @ spatial.rotation_from_rpy(b)
    close(spatial.rotation_from_quat(product), R)


SEQUENCES = ["xyz", "XYZ", "zyx", "ZYX", "zxz", "YXY", "xYz", "Xyz", "zZx"]


def compiled_quat(attribute: str, eulerseq: str = "xyz") -> Array:
    """The orientation that MuJoCo gives a body with that attribute."""
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><compiler angle="radian" eulerseq="{eulerseq}"/><worldbody>'
        f'<body {attribute}><geom size="1"/></body></worldbody></mujoco>'
    )
    quat: Array = model.body_quat[1].copy()
    return quat


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_euler_sequences_equal_mujoco(sequence: str) -> None:
    angles = (0.3, -1.2, 2.5)
    theirs = compiled_quat('euler="0.3 -1.2 2.5"', sequence)
    same_rotation(spatial.quat_from_euler(sequence, angles), theirs)


@pytest.mark.parametrize("sequence", ["", "xy", "xyzx", "abc", "xy1"])
def test_a_wrong_euler_sequence_is_misuse(sequence: str) -> None:
    with pytest.raises(PhyzctlError, match="three letters"):
        spatial.quat_from_euler(sequence, (0.0, 0.0, 0.0))


XYAXES = ["1 0 0 0 1 0", "0 1 0 -1 0 0", "1 2 3 0 -1 5", "-2 0 0.1 0 0 1e-3", "0 0 -4 1 1 1"]
ZAXES = ["0 0 1", "0 0 -1", "1 0 0", "0.1 -0.2 -5", "1e-5 0 -1", "3 4 0"]


@pytest.mark.parametrize("axes", XYAXES)
def test_xyaxes_equal_mujoco(axes: str) -> None:
    theirs = compiled_quat(f'xyaxes="{axes}"')
    same_rotation(spatial.quat_from_xyaxes([float(word) for word in axes.split()]), theirs)


@pytest.mark.parametrize("axis", ZAXES)
def test_zaxis_equals_mujoco(axis: str) -> None:
    theirs = compiled_quat(f'zaxis="{axis}"')
    same_rotation(spatial.quat_from_zaxis([float(word) for word in axis.split()]), theirs, 1e-11)


def test_what_is_no_rotation_is_nan() -> None:
    zero, nan = (0.0, 0.0, 0.0), math.nan
    wrong = [
        spatial.quat_from_axis_angle(zero, 1.0),
        spatial.quat_from_axis_angle((0.0, 0.0, 1.0), math.inf),
        spatial.quat_from_zaxis((nan, 0.0, 1.0)),
        spatial.quat_from_xyaxes((1.0, 0.0, 0.0, 2.0, 0.0, 0.0)),
        spatial.rotation_from_quat((0.0, 0.0, 0.0, 0.0)),
        spatial.rotation_from_rpy((nan, nan, nan)),
        spatial.rotation_from_rpy((math.inf, 0.0, 0.0))[1:, 1:],
        spatial.quat_from_rotation(np.full((3, 3), nan)),
        spatial.rpy_from_rotation(np.full((3, 3), nan)),
        spatial.pose((nan, nan, nan))[:3, 3],
        spatial.principal_moments(np.full((3, 3), nan)),
    ]
    for result in wrong:
        assert np.isnan(result).all()


@pytest.mark.parametrize("size", [1e-300, 1e-160, 1e160, 1e300])
def test_a_quaternion_of_any_size_is_normalised(size: float) -> None:
    close(
        spatial.rotation_from_quat((size, size, 0.0, 0.0)), spatial.rotation_from_rpy((RIGHT, 0, 0))
    )


# Inertias


def test_an_inertia_matrix_is_symmetric() -> None:
    close(spatial.inertia_matrix((1, 2, 3, 4, 5, 6)), [[1, 2, 3], [2, 4, 5], [3, 5, 6]], 0.0)


def pinocchio_inertia(body: RigidInertia) -> pinocchio.Inertia:
    return pinocchio.Inertia(body.mass, body.com, body.inertia)


def random_body(rng: np.random.Generator) -> RigidInertia:
    moments = np.diag(unit_inertia(Box(tuple(rng.uniform(0.1, 2.0, 3)))) or ())
    mass = float(rng.uniform(0.1, 10.0))
    inertia = spatial.rotate_inertia(mass * moments, random_rotation(rng))
    return RigidInertia(mass, rng.normal(size=3), inertia)


@pytest.mark.parametrize("seed", range(10))
def test_moving_and_welding_bodies_equals_pinocchio(seed: int) -> None:
    rng = np.random.default_rng(seed)
    bodies = [random_body(rng) for _ in range(4)]
    poses = [spatial.pose(rng.normal(size=3), rng.normal(size=3)) for _ in bodies]
    moved = [body.transformed(X) for body, X in zip(bodies, poses, strict=True)]
    theirs = [
        pinocchio.SE3(X).act(pinocchio_inertia(body)) for body, X in zip(bodies, poses, strict=True)
    ]
    ours, welded = RigidInertia.combined(moved), sum(theirs[1:], start=theirs[0])
    assert ours.mass == pytest.approx(welded.mass, rel=1e-14)
    close(ours.com, welded.lever, 1e-13)
    close(ours.inertia, welded.inertia, 1e-12)


def test_two_half_boxes_are_the_whole_box() -> None:
    half, whole = Box((1.0, 0.4, 0.6)), Box((2.0, 0.4, 0.6))
    moments = np.diag(unit_inertia(half) or ()) * (volume(half) or 0.0)
    halves = [
        RigidInertia(volume(half) or 0.0, np.array([x, 0.0, 0.0]), moments) for x in (0.0, 1.0)
    ]
    joined = RigidInertia.combined(halves)
    assert joined.mass == pytest.approx(volume(whole))
    close(joined.com, [0.5, 0.0, 0.0])
    close(joined.inertia, np.diag(unit_inertia(whole) or ()) * joined.mass)
    close(joined.about(joined.com), joined.inertia)
    close(joined.scaled(3.0).inertia, 3.0 * joined.inertia)


def test_nothing_weighs_nothing_and_massless_parts_keep_their_inertia() -> None:
    nothing = RigidInertia.combined([])
    assert (nothing.mass, nothing.com.tolist()) == (0.0, [0.0, 0.0, 0.0])
    part = RigidInertia(0.0, np.ones(3), np.eye(3))
    close(RigidInertia.combined([part, part]).inertia, 2.0 * np.eye(3))


# Eigenvalues without numpy

ENTRIES = st.floats(-1.0, 1.0)
SCALES = st.sampled_from([1e-300, 1e-12, 1.0, 1e9, 1e300])


@given(st.tuples(ENTRIES, ENTRIES, ENTRIES, ENTRIES, ENTRIES, ENTRIES), SCALES)
def test_eigenvalues_equal_lapack(entries: tuple[float, ...], scale: float) -> None:
    xx, xy, xz, yy, yz, zz = (entry * scale for entry in entries)
    ours = symmetric_eigenvalues(xx, xy, xz, yy, yz, zz)
    largest = max(abs(entry) for entry in entries)
    theirs = np.linalg.eigvalsh(spatial.inertia_matrix(entries))
    close(np.array(ours) / scale, theirs, 1e-14 * largest + 1e-320 / scale)


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ((2.0, 0.0, 0.0, -1.0, 0.0, 5.0), (-1.0, 2.0, 5.0)),
        ((0.0, 0.0, 0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
        ((1.0, 1.0, 1.0, 1.0, 1.0, 1.0), (0.0, 0.0, 3.0)),
        ((2.0, 1.0, 0.0, 2.0, 0.0, 3.0), (1.0, 3.0, 3.0)),
        ((1e-9, 0.0, 0.0, 1.0, 1e-12, 1.0), (1e-9, 1.0 - 1e-12, 1.0 + 1e-12)),
        ((0.0, 1.0, 0.0, 0.0, 0.0, 0.0), (-1.0, 0.0, 1.0)),
        ((1e308, 0.0, 0.0, 1e308, 0.0, 1e308), (1e308, 1e308, 1e308)),
    ],
)
def test_known_eigenvalues(
    entries: tuple[float, float, float, float, float, float], expected: tuple[float, ...]
) -> None:
    ours = symmetric_eigenvalues(*entries)
    assert all(low <= high for low, high in pairwise(ours))
    close(np.array(ours) / max(1.0, *expected), np.array(expected) / max(1.0, *expected), 2e-15)


@pytest.mark.parametrize("place", range(6))
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_eigenvalues_of_what_is_not_finite_are_nan(place: int, value: float) -> None:
    entries = [1.0] * 6
    entries[place] = value
    xx, xy, xz, yy, yz, zz = entries
    assert all(math.isnan(each) for each in symmetric_eigenvalues(xx, xy, xz, yy, yz, zz))
