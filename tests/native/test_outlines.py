"""The first look at a block of configurations, in single precision, decides nothing wrongly.

Every pair of shapes is put just within and just out of reach of each other, by much less than
single precision can tell, and by much more. What the narrow phase says of each alone is right.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from phyzctl import native
from tests.native.posed import (
    PAIR,
    PLANE,
    SHAPES,
    Array,
    Posable,
    box,
    capsule,
    cylinder,
    distances,
    overlaps,
    random_poses,
    shapes_of,
    sphere,
)
from tests.native.robots import free_bodies

COUNT = 320
ODD = {
    "grain": sphere(1e-3),
    "needle": capsule(1e-4, 0.5),
    "pill": capsule(0.3, 1e-12),
    "disc": cylinder(0.4, 0.02),
    "rod": cylinder(0.02, 0.4),
    "sheet": box(0.4, 0.3, 0.0),
    "padded": box(0.2, 0.3, 0.4).padded(0.1),
    "padded disc": cylinder(0.4, 0.02).padded(0.1),
}
BODIES = SHAPES | ODD
PAIRS = [(a, b) for i, a in enumerate(BODIES) for b in list(BODIES)[i:]]
PAIRS += [("half-space", b) for b in BODIES] + [(b, "half-space") for b in BODIES]


def shape(name: str, scale: float) -> Posable:
    found = PLANE if name == "half-space" else BODIES[name]
    x, y, z = found.size
    hull = found.hull
    if hull is not None:
        hull = hull._replace(vertices=scale * hull.vertices)
    return replace(
        found, size=(scale * x, scale * y, scale * z), hull=hull, padding=scale * found.padding
    )


def nearly_touching(a: Posable, b: Posable, scale: float) -> Array:
    """(n, 2, 7): apart or in each other by 1e-10 to 1e-1 of the scale; every other one parallel."""
    rng = np.random.default_rng(11)
    poses = random_poses(rng, COUNT)
    poses[::2, 1, 3:] = poses[::2, 0, 3:]
    poses[..., :3] *= scale
    found = distances(a, b, poses)
    wanted = scale * 10.0 ** rng.uniform(-10, -1, COUNT) * rng.choice([-1, 1], COUNT)
    poses[:, 1, :3] += (wanted - found.distance)[:, None] * found.normal
    return poses


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e3])
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_overlaps_are_those_of_the_narrow_phase(first: str, second: str, scale: float) -> None:
    a, b = shape(first, scale), shape(second, scale)
    poses = nearly_touching(a, b, scale)
    q = np.ascontiguousarray(poses.reshape(COUNT, 14))
    system, shapes = free_bodies(), shapes_of([a, b])
    normalized = native.kinematics(system, q).geoms  # as the sweep has it: off by rounding
    for margin in (0.0, 0.01 * scale):
        hit = native.overlaps(shapes, normalized, PAIR, margin=margin)[:, 0]
        assert hit.mean() > 0.2
        assert margin > 0.0 or hit.mean() < 0.8
        found = native.first_hits(system, shapes, q, PAIR, margin=margin)
        np.testing.assert_array_equal(found == 0, hit)
    assert native.sweep(system, shapes, q, PAIR).hits[0] == overlaps(a, b, normalized).sum()


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_clearance_and_depth_are_the_least_and_the_deepest(first: str, second: str) -> None:
    a, b = shape(first, 1.0), shape(second, 1.0)
    q = nearly_touching(a, b, 1.0).reshape(COUNT, 14)
    q[:, 7:10] += np.random.default_rng(5).normal(scale=0.3, size=(COUNT, 3))
    system, shapes = free_bodies(), shapes_of([a, b])
    poses = native.kinematics(system, q).geoms
    distance, hit = distances(a, b, poses).distance, overlaps(a, b, poses)
    found = native.sweep(system, shapes, q, PAIR, depth=True, clearance=True)
    assert found.hits[0] == hit.sum()
    assert found.clearance is not None
    assert found.deepest is not None
    assert found.clearance[0] == pytest.approx(distance[~hit].min(), abs=1e-9)
    assert found.deepest[0] == pytest.approx(-distance[hit].min(initial=0.0), abs=1e-9)
    nearest = native.nearest_pairs(system, shapes, q, PAIR)
    np.testing.assert_allclose(nearest.distance, distance, rtol=0, atol=1e-9)


@pytest.mark.parametrize("size", [1e25, np.inf, np.nan])
@pytest.mark.parametrize("first", [*BODIES, "half-space"])
def test_what_no_float_can_hold_is_no_overlap(first: str, size: float) -> None:
    system, shapes = free_bodies(), shapes_of([shape(first, 1.0), sphere(0.2)])
    q = np.tile([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], (3, 2))
    q[:, 7] = [0.0, size, 0.0]
    q[:, 9] = [-0.3, size, -0.3]
    hit = native.overlaps(shapes, native.kinematics(system, q).geoms, PAIR)[:, 0]
    hit &= np.isfinite(q).all(axis=1)
    assert not hit[1]
    assert native.sweep(system, shapes, q, PAIR).hits[0] == hit.sum()
    if np.isfinite(size):
        np.testing.assert_array_equal(native.first_hits(system, shapes, q, PAIR) == 0, hit)
