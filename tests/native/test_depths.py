"""How deep hulls are in each other, beside all faces of their difference."""

from __future__ import annotations

import numpy as np
import pytest

from tests.native.posed import (
    Array,
    Posable,
    at,
    ball_hull,
    box_hull,
    cloud,
    distances,
    placed,
    random_poses,
    rotations,
)

spatial = pytest.importorskip("scipy.spatial")


def prism(corners: int, radius: float, half: float) -> Posable:
    """A cylinder as meshes have it: two ends of many corners, and flat sides."""
    turn = 2.0 * np.pi * np.arange(corners) / corners
    rim = radius * np.column_stack([np.cos(turn), np.sin(turn)])
    return cloud(np.vstack([np.column_stack([rim, np.full(corners, z)]) for z in (-half, half)]))


HULLS = {
    "few": cloud(np.random.default_rng(1).normal(0.0, 0.2, (8, 3))),
    "many": cloud(np.random.default_rng(2).normal(0.0, 0.2, (25, 3))),
    "box": box_hull(0.3, 0.2, 0.1),
    "prism": prism(16, 0.2, 0.1),
    "disc": prism(20, 0.3, 0.01),
    "ball": ball_hull(4, 6, (0.3, 0.3, 0.3)),
    "sheet": cloud([(x, y, 0) for x in (-0.3, 0.3) for y in (-0.3, 0.3)]),
}
PAIRS = [(a, b) for i, a in enumerate(HULLS) for b in list(HULLS)[i:]]
DEPTHS = [None, 0.05, 1e-3, 1e-5, 1e-8]
"""What a pose is moved to [m]; None: as it comes."""


def world(shape: Posable, pose: Array) -> Array:
    assert shape.hull is not None
    moved = shape.hull.vertices @ rotations(pose[None])[0].T + pose[:3]
    return np.asarray(moved, np.float64)


def faces(first: Posable, second: Posable, poses: Array) -> tuple[Array, Array]:
    """Normals and depths of the difference's faces, least depth first."""
    a, b = world(first, poses[0]), world(second, poses[1])
    found = spatial.ConvexHull((a[:, None] - b[None]).reshape(-1, 3)).equations
    order = np.argsort(-found[:, 3], kind="stable")
    return found[order, :3], -found[order, 3]


def overlapping(first: Posable, second: Posable, depth: float | None, count: int) -> Array:
    rows: list[Array] = []
    for poses in random_poses(np.random.default_rng(5), 20 * count, spread=0.08):
        normals, depths = faces(first, second, poses)
        if len(rows) == count or depths[0] <= max(1e-3, depth or 0.0):
            continue
        if depth is not None:
            poses[1, :3] += (depths[0] - depth) * normals[0]
        rows.append(poses)
    return np.array(rows)


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_least_of_all_faces(first: str, second: str, depth: float | None) -> None:
    a, b = HULLS[first], HULLS[second]
    poses = overlapping(a, b, depth, 4)
    assert len(poses) >= 3 or depth == 0.05
    if not len(poses):
        pytest.skip("never as deep")
    found = distances(a, b, poses)
    for row, pair in enumerate(poses):
        normals, depths = faces(a, b, pair)
        assert abs(found.distance[row] + depths[0]) <= 1e-11
        alike = normals[depths <= depths[0] + 1e-9] @ found.normal[row]
        assert alike.max() >= 1.0 - 1e-9


@pytest.mark.parametrize("lift", [0.0, 1e-4, 0.02])
@pytest.mark.parametrize(
    ("first", "second"), [("prism", "disc"), ("prism", "box"), ("disc", "disc")]
)
def test_flat_on_flat(first: str, second: str, lift: float) -> None:
    """Faces in one plane, of which the difference has many corners."""
    a, b = HULLS[first], HULLS[second]
    height = {"prism": 0.1, "disc": 0.01, "box": 0.1}
    up = height[first] + height[second] - lift
    spread = [(x, y) for x in (-0.1, 0.0, 0.05) for y in (0.0, 0.1)]
    poses = np.vstack([placed(at((0, 0, 0)), at((x, y, up))) for x, y in spread])
    found = distances(a, b, poses)
    np.testing.assert_allclose(found.distance, -lift, rtol=0, atol=1e-12)
    if lift == 1e-4:
        np.testing.assert_allclose(found.normal[:, 2], 1.0, rtol=0, atol=1e-12)
