"""Primitives against MuJoCo's compiler, integrals and brute force."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest
from numpy.typing import NDArray

from phyzctl.geometry.primitives import bounding_radius, half_extents, unit_inertia, volume
from phyzctl.geometry.shapes import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    HeightfieldShape,
    MeshShape,
    Plane,
    Shape,
    Sphere,
)

# Ours in full lengths, and the same as an MJCF geom, in halves.
SOLIDS: list[tuple[Shape, str]] = [
    (Sphere(0.3), 'type="sphere" size="0.3"'),
    (Capsule(0.1, 0.8), 'type="capsule" size="0.1 0.4"'),
    (Capsule(2.0, 0.01), 'type="capsule" size="2 0.005"'),
    (Cylinder(0.5, 0.2), 'type="cylinder" size="0.5 0.1"'),
    (Box((0.2, 0.4, 1.0)), 'type="box" size="0.1 0.2 0.5"'),
    (Ellipsoid((0.1, 0.2, 0.7)), 'type="ellipsoid" size="0.1 0.2 0.7"'),
]


@pytest.mark.parametrize(("shape", "geom"), SOLIDS, ids=lambda each: str(each)[:40])
def test_solids_equal_mujoco(shape: Shape, geom: str) -> None:
    model = mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><body><freejoint/>"
        f'<geom density="1" {geom}/></body></worldbody></mujoco>'
    )
    own_volume, moments, radius = volume(shape), unit_inertia(shape), bounding_radius(shape)
    assert own_volume is not None
    assert moments is not None
    assert own_volume == pytest.approx(model.body_mass[1], rel=1e-12)
    theirs = sorted(model.body_inertia[1] / model.body_mass[1])
    assert sorted(moments) == pytest.approx(theirs, rel=1e-12)
    assert radius == pytest.approx(model.geom_rbound[0], rel=1e-12)
    assert half_extents(shape) == pytest.approx(model.geom_aabb[0][3:], rel=1e-12)


@pytest.mark.parametrize(("shape", "_"), SOLIDS, ids=lambda each: str(each)[:40])
def test_moments_lie_along_the_axes_they_are_given_for(shape: Shape, _: str) -> None:
    """Points spread evenly over the box; those inside make up the solid."""
    half = half_extents(shape)
    moments, own_volume = unit_inertia(shape), volume(shape)
    assert half is not None
    assert moments is not None
    assert own_volume is not None
    ticks = [np.linspace(-h, h, 121)[:-1] + h / 120 for h in half]
    points = np.stack(np.meshgrid(*ticks, indexing="ij"), axis=-1).reshape(-1, 3)
    points = points[inside(shape, points)]
    squares = (points**2).mean(axis=0)
    assert len(points) / 120**3 * 8 * math.prod(half) == pytest.approx(own_volume, rel=5e-3)
    assert moments == pytest.approx(squares.sum() - squares, rel=5e-3)


def inside(shape: Shape, points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which of the points lie in the shape."""
    return np.asarray(_inside(shape, points), dtype=bool)


def _inside(shape: Shape, points: NDArray[np.float64]) -> object:
    x, y, z = points.T
    match shape:
        case Sphere(radius=float(r)):
            return x**2 + y**2 + z**2 <= r * r
        case Capsule(radius=float(r), length=float(length)):
            return x**2 + y**2 + np.maximum(abs(z) - length / 2, 0.0) ** 2 <= r * r
        case Cylinder(radius=float(r)):
            return x**2 + y**2 <= r * r
        case Ellipsoid(radii=(a, b, c)):
            return (x / a) ** 2 + (y / b) ** 2 + (z / c) ** 2 <= 1.0
        case _:
            return np.ones(len(x), dtype=bool)


UNKNOWN: list[Shape] = [
    Sphere(None),
    Capsule(0.1, None),
    Capsule(None, 1.0),
    Cylinder(None, None),
    Box(None),
    Ellipsoid(None),
    Plane(),
    MeshShape("m"),
    HeightfieldShape("h"),
]


@pytest.mark.parametrize("shape", UNKNOWN, ids=repr)
def test_what_is_not_known_is_none(shape: Shape) -> None:
    assert [f(shape) for f in (volume, unit_inertia, half_extents, bounding_radius)] == [None] * 4


def test_sizes_of_zero_and_nan_are_survived() -> None:
    assert unit_inertia(Capsule(0.0, 0.0)) == (0.0, 0.0, 0.0)
    assert volume(Cylinder(0.0, 1.0)) == 0.0
    assert math.isnan(volume(Sphere(math.nan)) or 0.0)
    assert math.isnan((unit_inertia(Box((math.nan, 1.0, 1.0))) or (0.0, 0.0, 0.0))[1])


def test_a_capsule_without_length_is_a_ball_and_a_thin_one_a_rod() -> None:
    assert unit_inertia(Capsule(0.4, 0.0)) == pytest.approx(unit_inertia(Sphere(0.4)), rel=1e-14)
    assert unit_inertia(Capsule(1e-9, 2.0)) == pytest.approx((1 / 3, 1 / 3, 0.0), abs=1e-8)
