"""Signed distances against formulas."""

from __future__ import annotations

import numpy as np
import pytest

from tests.native.posed import (
    PLANE,
    SHAPES,
    Array,
    Posable,
    at,
    ball_hull,
    box,
    box_hull,
    capsule,
    cloud,
    cylinder,
    distances,
    ellipsoid,
    placed,
    random_poses,
    reach,
    rotations,
    sphere,
)

N = 2000
TURN_Y = (np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0)  # a quarter
TURN_Z = (np.cos(np.pi / 8), 0.0, 0.0, np.sin(np.pi / 8))  # an eighth


def local(poses: Array) -> Array:
    """The first shape's position in the second's frame."""
    moved = poses[:, 0, :3] - poses[:, 1, :3]
    return np.asarray(np.einsum("nji,nj->ni", rotations(poses[:, 1]), moved))


def ball_to_ball(poses: Array, radii: float) -> Array:
    return np.asarray(np.linalg.norm(poses[:, 0, :3] - poses[:, 1, :3], axis=1) - radii)


def point_to_box(p: Array, half: Array) -> Array:
    beyond = np.abs(p) - half
    outside = np.linalg.norm(np.maximum(beyond, 0.0), axis=1)
    return np.asarray(outside + np.minimum(beyond.max(axis=1), 0.0))


def point_to_cylinder(p: Array, radius: float, half: float) -> Array:
    rz = np.stack([np.hypot(p[:, 0], p[:, 1]), p[:, 2]], axis=1)
    return point_to_box(rz, np.array([radius, half]))


def segment_to_segment(poses: Array, first: float, second: float) -> Array:
    """The least over ends against segments and over the crossing, if it is within both."""
    u, v = rotations(poses[:, 0])[:, :, 2], rotations(poses[:, 1])[:, :, 2]
    w = poses[:, 1, :3] - poses[:, 0, :3]

    def from_point(p: Array, axis: Array, half: float) -> Array:
        t = np.clip(np.einsum("ni,ni->n", p, axis), -half, half)
        return np.asarray(np.linalg.norm(p - t[:, None] * axis, axis=1))

    least = np.full(len(poses), np.inf)
    for end in (-1.0, 1.0):
        least = np.minimum(least, from_point(w + end * second * v, u, first))
        least = np.minimum(least, from_point(end * first * u - w, v, second))
    for row in range(len(poses)):
        system = np.stack([u[row], -v[row], np.cross(u[row], v[row])], axis=1)
        s, t, k = np.linalg.solve(system, w[row])
        if abs(s) <= first and abs(t) <= second:
            least[row] = min(least[row], abs(k) * np.linalg.norm(system[:, 2]))
    return least


def test_spheres() -> None:
    poses = random_poses(np.random.default_rng(1), N)
    found = distances(sphere(0.3), sphere(0.2), poses)
    np.testing.assert_allclose(found.distance, ball_to_ball(poses, 0.5), rtol=0, atol=1e-12)


@pytest.mark.parametrize("spread", [0.2, 0.6])
@pytest.mark.parametrize(
    ("first", "second"),
    [
        (ellipsoid(0.3, 0.3, 0.3), sphere(0.2)),
        (ellipsoid(0.3, 0.3, 0.3), ellipsoid(0.2, 0.2, 0.2)),
        (ellipsoid(0.3, 0.3, 0.3), cloud([(0, 0, 0)]).padded(0.2)),
        (cylinder(0.0, 0.0).padded(0.3), capsule(0.2, 0.0)),
        (box(0.0, 0.0, 0.0).padded(0.3), ellipsoid(0.0, 0.0, 0.0).padded(0.2)),
    ],
    ids=["ellipsoid-sphere", "ellipsoids", "ellipsoid-point", "points", "nothings"],
)
def test_what_is_a_ball_in_disguise(first: Posable, second: Posable, spread: float) -> None:
    poses = random_poses(np.random.default_rng(2), N, spread)
    found = distances(first, second, poses)
    np.testing.assert_allclose(found.distance, ball_to_ball(poses, 0.5), rtol=0, atol=1e-9)


@pytest.mark.parametrize("second", [box(0.2, 0.3, 0.5), box_hull(0.2, 0.3, 0.5)])
@pytest.mark.parametrize("first", [sphere(0.1), capsule(0.1, 0.0), cloud([(0, 0, 0)]).padded(0.1)])
def test_a_ball_and_a_box(first: Posable, second: Posable) -> None:
    poses = random_poses(np.random.default_rng(3), N)
    expected = point_to_box(local(poses), np.array([0.2, 0.3, 0.5])) - 0.1
    np.testing.assert_allclose(distances(first, second, poses).distance, expected, atol=1e-9)


@pytest.mark.parametrize("first", [sphere(0.1), capsule(0.1, 0.0), cloud([(0, 0, 0)]).padded(0.1)])
def test_a_ball_and_a_cylinder(first: Posable) -> None:
    poses = random_poses(np.random.default_rng(4), N)
    expected = point_to_cylinder(local(poses), 0.3, 0.4) - 0.1
    found = distances(first, cylinder(0.3, 0.4), poses)
    np.testing.assert_allclose(found.distance, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    "second", [capsule(0.1, 0.5), cloud([(0, 0, -0.5), (0, 0, 0.5)]).padded(0.1)]
)
def test_capsules(second: Posable) -> None:
    poses = random_poses(np.random.default_rng(5), N)
    expected = segment_to_segment(poses, 0.4, 0.5) - 0.3
    found = distances(capsule(0.2, 0.4), second, poses)
    np.testing.assert_allclose(found.distance, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("angle", [0.0, 1e-15, 1e-12, 1e-9, 1e-8, 1e-7, 1e-5, 1e-3])
@pytest.mark.parametrize("lift", [0.0, 1e-9, 0.1])
def test_capsules_nearly_parallel(angle: float, lift: float) -> None:
    # They cross at their middles, lifted apart: exactly `lift`, however small the angle.
    turn = (np.cos(angle / 2), np.sin(angle / 2), 0.0, 0.0)
    poses = placed(at((0, 0, 0)), at((lift, 0, 0), turn))
    found = distances(capsule(0.1, 100.0), capsule(0.1, 100.0), poses)
    assert found.distance[0] == pytest.approx(lift - 0.2, abs=1e-12)


@pytest.mark.parametrize("name", SHAPES)
def test_a_half_space_and_anything(name: str) -> None:
    poses = random_poses(np.random.default_rng(6), N)
    normals = rotations(poses[:, 0])[:, :, 2]
    height = np.einsum("ni,ni->n", normals, poses[:, 0, :3])
    expected = -reach(SHAPES[name], poses[:, 1], -normals) - height
    found = distances(PLANE, SHAPES[name], poses)
    np.testing.assert_allclose(found.distance, expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found.normal, normals, rtol=0, atol=1e-12)


# Boxes along the same axes: a cube of half edge 0.5 and a block of half edges 0.1, 0.2, 0.3.
@pytest.mark.parametrize("first", [box(0.5, 0.5, 0.5), box_hull(0.5, 0.5, 0.5)])
@pytest.mark.parametrize("second", [box(0.1, 0.2, 0.3), box_hull(0.1, 0.2, 0.3)])
@pytest.mark.parametrize(
    ("offset", "expected"),
    [
        ((0.7, 0.0, 0.0), 0.1),  # face to face
        ((0.9, 1.1, 0.0), 0.5),  # edge to edge, 3-4-5
        ((0.7, 0.9, 1.0), 0.3),  # corner to corner, 1-2-2
        ((0.6, 0.0, 0.0), 0.0),  # touching faces
        ((0.6, 0.7, 0.0), 0.0),  # touching edges
        ((0.6, 0.7, 0.8), 0.0),  # touching corners
        ((0.5, 0.1, 0.0), -0.1),
        ((0.1, 0.2, 0.65), -0.15),
        ((0.0, 0.0, 0.0), -0.6),  # the same centre
    ],
)
def test_boxes_along_the_same_axes(
    first: Posable, second: Posable, offset: tuple[float, ...], expected: float
) -> None:
    for signs in ((1, 1, 1), (-1, 1, -1), (-1, -1, -1)):
        poses = placed(at((0, 0, 0)), at(np.multiply(signs, offset).tolist()))
        found = distances(first, second, poses)
        assert found.distance[0] == pytest.approx(expected, abs=1e-9)


def test_a_box_over_the_edge_of_another() -> None:
    # The upper one stands on an edge, an eighth of a turn about y: its lowest line is at
    # half * sqrt(2) below its centre.
    turn = (np.cos(np.pi / 8), 0.0, np.sin(np.pi / 8), 0.0)
    for height in (1.5, 1.2, 1.1):
        poses = placed(at((0, 0, 0)), at((0.1, 0.0, height), turn))
        found = distances(box(0.5, 0.5, 0.5), box(0.5, 0.5, 0.5), poses)
        assert found.distance[0] == pytest.approx(height - 0.5 - 0.5 * np.sqrt(2.0), abs=1e-9)


def test_crossed_edges_of_boxes() -> None:
    # Both stand on edges that cross at right angles: the normal is along neither's axes.
    first = (np.cos(np.pi / 8), np.sin(np.pi / 8), 0.0, 0.0)
    second = (np.cos(np.pi / 8), 0.0, np.sin(np.pi / 8), 0.0)
    for gap in (0.2, 1e-6, -1e-6, -0.1):
        poses = placed(at((0, 0, 0), first), at((0, 0, np.sqrt(2.0) + gap), second))
        for shape in (box(0.5, 2.0, 0.5), box_hull(0.5, 2.0, 0.5)):
            long = box(2.0, 0.5, 0.5)
            found = distances(long, shape, poses)
            assert found.distance[0] == pytest.approx(gap, abs=1e-9)
            np.testing.assert_allclose(found.normal[0], (0, 0, 1), atol=1e-6)


@pytest.mark.parametrize("offset", [0.9, 0.5, 0.3, 0.1, 0.0])
def test_a_capsule_through_a_box(offset: float) -> None:
    # Along z, beside the middle of a box of half edges 0.2, 0.3, 0.5.
    poses = placed(at((offset, 0, 0)), at((0, 0, 0)))
    found = distances(capsule(0.1, 2.0), box(0.2, 0.3, 0.5), poses)
    assert found.distance[0] == pytest.approx(offset - 0.3, abs=1e-9)


@pytest.mark.parametrize(
    ("offset", "turn", "expected"),
    [
        ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0, 0.0), 0.2),  # caps face to face
        ((0.9, 0.0, 0.3), (1.0, 0.0, 0.0, 0.0), 0.3),  # side to side
        ((0.9, 0.0, 1.2), (1.0, 0.0, 0.0, 0.0), 0.5),  # rim to rim, 3-4-5
        ((1.0, 0.0, 0.0), TURN_Y, 0.3),  # cap to side
        ((0.5, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), -0.1),
        ((0.1, 0.0, 0.7), (1.0, 0.0, 0.0, 0.0), -0.1),
        ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), -0.6),  # one in another, on one axis
        ((0.0, 0.0, 0.0), TURN_Z, -0.6),
    ],
)
def test_cylinders(offset: tuple[float, ...], turn: tuple[float, ...], expected: float) -> None:
    poses = placed(at((0, 0, 0)), at(offset, turn))
    found = distances(cylinder(0.3, 0.4), cylinder(0.3, 0.4), poses)
    assert found.distance[0] == pytest.approx(expected, abs=1e-9)


def test_ellipsoids_on_their_axes() -> None:
    for axis, radii in enumerate([(0.5, 0.3), (0.3, 0.2), (0.2, 0.4)]):
        for gap in (0.3, 1e-3, 1e-9):
            offset = [0.0, 0.0, 0.0]
            offset[axis] = sum(radii) + gap
            poses = placed(at((0, 0, 0)), at(offset))
            found = distances(ellipsoid(0.5, 0.3, 0.2), ellipsoid(0.3, 0.2, 0.4), poses)
            assert found.distance[0] == pytest.approx(gap, abs=1e-9)


def test_padding_adds_to_any_distance() -> None:
    poses = random_poses(np.random.default_rng(7), 200)
    for first in SHAPES.values():
        for second in SHAPES.values():
            plain = distances(first, second, poses).distance
            padded = distances(first.padded(0.03), second.padded(0.02), poses).distance
            np.testing.assert_allclose(padded, plain - 0.05, rtol=0, atol=1e-9)


def test_far_from_the_origin_is_as_good_as_near() -> None:
    poses = random_poses(np.random.default_rng(8), 200)
    away = poses.copy()
    away[..., :3] += 1024.0  # exact in binary up to 2^-43
    for name, first in SHAPES.items():
        second = ball_hull(4, 8, (0.3, 0.4, 0.5))
        near, far = distances(first, second, poses), distances(first, second, away)
        np.testing.assert_allclose(far.distance, near.distance, atol=1e-9, err_msg=name)


@pytest.mark.parametrize("scale", [1e-3, 1e3])
def test_sizes_from_millimetres_to_kilometres(scale: float) -> None:
    poses = random_poses(np.random.default_rng(9), 200)
    scaled = poses.copy()
    scaled[..., :3] *= scale
    pairs = [
        (cylinder(0.3, 0.4), cylinder(0.3 * scale, 0.4 * scale)),
        (ellipsoid(0.5, 0.3, 0.2), ellipsoid(0.5 * scale, 0.3 * scale, 0.2 * scale)),
        (box(0.2, 0.3, 0.5), box(0.2 * scale, 0.3 * scale, 0.5 * scale)),
    ]
    for first, large_first in pairs:
        for second, large_second in pairs:
            expected = scale * distances(first, second, poses).distance
            found = distances(large_first, large_second, scaled)
            np.testing.assert_allclose(found.distance, expected, rtol=1e-9, atol=1e-9 * scale)
