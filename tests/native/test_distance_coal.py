"""Against Coal, on every pair of shape types.

Coal's distances are compared where shapes are apart. Between round shapes a few of these are too
small, which a plane between the shapes proves. Its depths are not compared: for round shapes they
are now and then lower bounds, or -1.8e308 (test_distance_properties.py needs no other's answer).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from phyzctl import native
from tests.native.posed import (
    SHAPE_PAIRS,
    SHAPES,
    Array,
    Posable,
    distances,
    gap_along,
    overlaps,
    random_poses,
    rotations,
)

coal = pytest.importorskip("coal")
TOUCHING = 1e-7


def coal_shape(shape: Posable) -> Any:
    a, b, c = shape.size
    match shape.type:
        case 2:
            return coal.Sphere(a)
        case 3:
            return coal.Capsule(a, 2.0 * b)
        case 4:
            return coal.Ellipsoid(a, b, c)
        case 5:
            return coal.Cylinder(a, 2.0 * b)
        case 6:
            return coal.Box(2.0 * a, 2.0 * b, 2.0 * c)
    assert shape.hull is not None
    mesh = native.quickhull(shape.hull.vertices)
    points, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    for vertex in shape.hull.vertices[mesh.corners]:
        points.append(vertex)
    for face in mesh.faces.tolist():
        triangles.append(coal.Triangle(*face))
    return coal.Convex(points, triangles)


def coal_distances(first: Posable, second: Posable, poses: Array) -> Array:
    a, b = coal_shape(first), coal_shape(second)
    request = coal.DistanceRequest()
    request.gjk_tolerance = 1e-10  # below that it often ends too early
    request.gjk_max_iterations = 1000
    turns = [rotations(poses[:, i]) for i in range(2)]
    found = np.empty(len(poses))
    for row in range(len(poses)):
        places = [coal.Transform3s(turns[i][row], poses[row, i, :3]) for i in range(2)]
        result = coal.DistanceResult()
        found[row] = coal.distance(a, places[0], b, places[1], request, result)
    return found


def compare(first: str, second: str, count: int) -> None:
    poses = random_poses(np.random.default_rng(21), count)
    a, b = SHAPES[first], SHAPES[second]
    theirs, found = coal_distances(a, b, poses), distances(a, b, poses)
    ours = found.distance
    apart = theirs > 0.0
    assert 0.2 * count < apart.sum() < 0.9 * count
    off = apart & (np.abs(ours - theirs) > 1e-8)
    assert off.sum() <= 0.01 * count
    proved = gap_along(a, b, poses, found.normal)
    assert (proved[off] > theirs[off]).all()
    np.testing.assert_allclose(proved[off], ours[off], rtol=0, atol=1e-9)
    clear = np.abs(ours) > TOUCHING
    assert np.array_equal((ours < 0.0)[clear], ~apart[clear])
    assert np.array_equal(overlaps(a, b, poses)[clear], ~apart[clear])
    for margin in (0.01, 0.2):
        clear = np.abs(ours - margin) > TOUCHING
        near = overlaps(a, b, poses, margin)
        assert np.array_equal(near[clear & ~off], (theirs < margin)[clear & ~off])


@pytest.mark.parametrize(("first", "second"), SHAPE_PAIRS)
def test_against_coal(first: str, second: str) -> None:
    compare(first, second, 500)


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second"), SHAPE_PAIRS)
def test_against_coal_at_length(first: str, second: str) -> None:
    compare(first, second, 10_000)
