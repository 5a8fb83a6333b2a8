"""Overlap is what the sign of the distance says, with a margin or without."""

from __future__ import annotations

import numpy as np
import pytest

from tests.native.posed import (
    PLANE,
    SHAPE_PAIRS,
    SHAPES,
    at,
    ball_hull,
    box,
    capsule,
    cloud,
    cylinder,
    distances,
    overlaps,
    placed,
    random_poses,
    sphere,
)

N = 2000
TOUCHING = 1e-9


@pytest.mark.parametrize(("first", "second"), SHAPE_PAIRS)
@pytest.mark.parametrize("margin", [0.0, 1e-3, 0.1])
def test_overlap_is_a_distance_within_the_margin(first: str, second: str, margin: float) -> None:
    poses = random_poses(np.random.default_rng(31), N)
    for a, b in ((first, second), (second, first)):
        distance = distances(SHAPES[a], SHAPES[b], poses).distance
        clear = np.abs(distance - margin) > TOUCHING
        assert clear.sum() > 0.99 * N
        near = overlaps(SHAPES[a], SHAPES[b], poses, margin)
        np.testing.assert_array_equal(near[clear], (distance < margin)[clear])
        assert 0.1 * N < near.sum() < 0.9 * N


@pytest.mark.parametrize(("first", "second"), SHAPE_PAIRS)
def test_padding_is_half_a_margin(first: str, second: str) -> None:
    poses = random_poses(np.random.default_rng(32), N)
    a, b = SHAPES[first], SHAPES[second]
    margin = overlaps(a, b, poses, 0.05)
    padded = overlaps(a.padded(0.03), b.padded(0.02), poses)
    clear = np.abs(distances(a, b, poses).distance - 0.05) > TOUCHING
    np.testing.assert_array_equal(padded[clear], margin[clear])


@pytest.mark.parametrize("name", SHAPES)
def test_half_spaces(name: str) -> None:
    poses = random_poses(np.random.default_rng(33), N)
    distance = distances(PLANE, SHAPES[name], poses).distance
    for margin in (0.0, 0.1):
        near = overlaps(PLANE, SHAPES[name], poses, margin)
        np.testing.assert_array_equal(near, distance <= margin)
        swapped = np.ascontiguousarray(poses[:, ::-1])
        np.testing.assert_array_equal(overlaps(SHAPES[name], PLANE, swapped, margin), near)


@pytest.mark.parametrize(("first", "second"), SHAPE_PAIRS)
def test_close_to_touching_the_sign_decides(first: str, second: str) -> None:
    rng = np.random.default_rng(34)
    a, b = SHAPES[first], SHAPES[second]
    poses = random_poses(rng, 300)
    found = distances(a, b, poses)
    poses[:, 1, :3] -= found.distance[:, None] * found.normal
    poses[..., :3] += rng.uniform(-1e-7, 1e-7, (300, 2, 3))
    distance = distances(a, b, poses).distance
    clear = np.abs(distance) > 1e-8
    np.testing.assert_array_equal(overlaps(a, b, poses)[clear], (distance < 0.0)[clear])
    assert 30 < (distance < 0.0).sum() < 270


def test_what_touches_overlaps() -> None:
    cases = [
        (sphere(0.5), sphere(0.5), 1.0),
        (capsule(0.5, 1.0), sphere(0.25), 0.75),
        (box(0.5, 0.5, 0.5), box(0.5, 0.5, 0.5), 1.0),
        (sphere(0.5), box(0.5, 0.5, 0.5), 1.0),
        (cylinder(0.5, 1.0), sphere(0.25), 0.75),
    ]
    for first, second, offset in cases:
        assert overlaps(first, second, placed(at((0, 0, 0)), at((offset, 0, 0))))[0]
        beyond = placed(at((0, 0, 0)), at((offset + 1e-9, 0, 0)))
        assert not overlaps(first, second, beyond)[0]


def test_flat_boxes_in_one_plane_are_parted_in_it() -> None:
    sheet = box(0.5, 0.5, 0.0)
    for offset, expected in ((0.9, True), (1.1, False)):
        assert overlaps(sheet, sheet, placed(at((0, 0, 0)), at((offset, 0, 0))))[0] == expected


def test_corners_beyond_the_margin_that_no_axis_parts() -> None:
    # 0.1 apart along x, y and z, and so 0.173 from corner to corner.
    poses = placed(at((0, 0, 0)), at((1.1, 1.1, 1.1)))
    cube = box(0.5, 0.5, 0.5)
    assert not overlaps(cube, cube, poses, 0.15)[0]
    assert overlaps(cube, cube, poses, 0.18)[0]


def test_a_hull_of_thousands_of_vertices_finds_its_top() -> None:
    # The climb must end at the same vertex as looking at all of them.
    fine = ball_hull(40, 80, (0.4, 0.3, 0.5))
    assert fine.hull is not None
    every = cloud(fine.hull.vertices)
    poses = random_poses(np.random.default_rng(35), 300)
    climbed = distances(fine, SHAPES["box"], poses).distance
    searched = distances(every, SHAPES["box"], poses).distance
    np.testing.assert_allclose(climbed, searched, rtol=0, atol=1e-12)
