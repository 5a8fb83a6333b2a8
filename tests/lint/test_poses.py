"""Poses and boxes in plain Python, against those in numpy."""

from __future__ import annotations

import itertools
import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phyzctl import spatial
from phyzctl.geometry.shapes import Vec3
from phyzctl.lint.poses import Box, Pose, around, from_quat, pose_of, transposed

NUMBER = st.floats(-3.0, 3.0)
VEC3 = st.tuples(NUMBER, NUMBER, NUMBER)
QUAT = st.tuples(*[st.floats(-1.0, 1.0)] * 4).filter(lambda q: math.hypot(*q) > 0.1)
UNIT = Box((0.0, 0.0, 0.0), (1.0, 2.0, 3.0))


def element(xyz: Any = (0.0, 0.0, 0.0), rpy: Any = (0.0, 0.0, 0.0), quat: Any = None) -> Any:
    return SimpleNamespace(xyz=xyz, rpy=rpy, quat=quat)


def matrix(X: Pose | None) -> Any:
    assert X is not None
    full = np.eye(4)
    full[:3, :3], full[:3, 3] = X.rows, X.xyz
    return full


@given(xyz=VEC3, rpy=VEC3)
def test_rpy_is_that_of_spatial(xyz: Vec3, rpy: Vec3) -> None:
    ours = matrix(pose_of(element(xyz, rpy)))
    np.testing.assert_allclose(ours, spatial.pose(xyz, rpy), atol=1e-12)


@given(quat=QUAT)
def test_a_quaternion_wins_and_need_not_be_of_unit_length(quat: Any) -> None:
    ours = matrix(pose_of(element(rpy=(1.0, 2.0, 3.0), quat=quat)))
    np.testing.assert_allclose(ours, spatial.pose(None, None, quat), atol=1e-12)


@given(a=VEC3, b=VEC3, turn_a=VEC3, turn_b=QUAT, p=VEC3)
def test_poses_are_chained_like_matrices(a: Any, b: Any, turn_a: Any, turn_b: Any, p: Any) -> None:
    outer, inner = pose_of(element(a, turn_a)), pose_of(element(b, quat=turn_b))
    assert outer is not None
    assert inner is not None
    chained = outer @ inner
    np.testing.assert_allclose(matrix(chained), matrix(outer) @ matrix(inner), atol=1e-12)
    np.testing.assert_allclose(chained.point(p), outer.point(inner.point(p)), atol=1e-11)


@pytest.mark.parametrize(
    "wrong",
    [
        element(xyz=None),
        element(rpy=None),
        element(xyz=(math.nan, 0.0, 0.0)),
        element(rpy=(math.inf, 0.0, 0.0)),
        element(quat=(0.0, 0.0, 0.0, 0.0)),
        element(quat=(math.nan, 0.0, 0.0, 1.0)),
    ],
)
def test_a_pose_that_cannot_be_read_is_not_known(wrong: Any) -> None:
    assert pose_of(wrong) is None


@given(quat=QUAT)
def test_a_rotation_is_undone_by_its_transpose(quat: Any) -> None:
    rows = from_quat(quat)
    assert rows is not None
    both = Pose(rows=rows) @ Pose(rows=transposed(rows))
    np.testing.assert_allclose(matrix(both), np.eye(4), atol=1e-12)


@given(xyz=VEC3, rpy=VEC3)
def test_a_turned_box_is_the_box_of_its_corners(xyz: Vec3, rpy: Vec3) -> None:
    X = pose_of(element(xyz, rpy))
    assert X is not None
    corners = [
        X.point((x, y, z)) for x, y, z in itertools.product((0.0, 1.0), (0.0, 2.0), (0.0, 3.0))
    ]
    seen = UNIT.seen_from(X)
    np.testing.assert_allclose(seen.low, np.min(corners, axis=0), atol=1e-12)
    np.testing.assert_allclose(seen.high, np.max(corners, axis=0), atol=1e-12)


def test_what_a_box_measures() -> None:
    assert UNIT.sides == (1.0, 2.0, 3.0)
    assert UNIT.diagonal == pytest.approx(math.sqrt(14.0))
    assert UNIT.gyration == pytest.approx(math.sqrt((2.0**2 + 3.0**2) / 12.0))


@pytest.mark.parametrize(
    ("point", "distance"),
    [
        ((0.5, 1.0, 1.5), 0.0),
        ((1.0, 2.0, 3.0), 0.0),
        ((2.0, 1.0, 1.0), 1.0),
        ((-3.0, 6.0, 1.0), 5.0),
        ((-1.0, -2.0, 5.0), 3.0),
    ],
)
def test_how_far_a_point_is_outside(point: Vec3, distance: float) -> None:
    assert UNIT.distance(point) == pytest.approx(distance)


def test_the_box_around_boxes() -> None:
    assert around([]) is None
    assert around([UNIT]) == UNIT
    other = Box((-1.0, 0.5, 1.0), (0.5, 9.0, 2.0))
    assert around([UNIT, other]) == Box((-1.0, 0.0, 0.0), (1.0, 9.0, 3.0))
