"""Contacts whose places follow from geometry, worked out by hand, and the frames they stand in."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.testing import assert_allclose

from phyzctl import native
from tests.native.posed import (
    PLANE,
    Array,
    Posable,
    at,
    ball_hull,
    box,
    box_hull,
    capsule,
    cloud,
    cylinder,
    ellipsoid,
    sphere,
)
from tests.native.test_contact_properties import world_of

EXACT = 1e-12
HALF = math.sqrt(0.5)
ABOUT_X = (HALF, HALF, 0.0, 0.0)  # a quarter turn, z to -y
ABOUT_Y = (HALF, 0.0, HALF, 0.0)  # z to x
ABOUT_Z_45 = (math.cos(math.pi / 8), 0.0, 0.0, math.sin(math.pi / 8))
ORIGIN = at((0.0, 0.0, 0.0))


def meet(
    first: Posable, second: Posable, a: Sequence[float], b: Sequence[float], room: float = 0.0
) -> native.Contacts:
    return native.contacts(world_of(first, second, room), np.array([[*a, *b]]))


def rows(found: native.Contacts) -> list[list[float]]:
    """Distance and position of each contact, in the order of positions."""
    table = np.column_stack([found.distance, found.position])
    order = np.lexsort(np.round(table[:, ::-1], 9).T)
    return [[float(x) for x in row] for row in table[order]]


def grid(distance: float, xs: Sequence[float], ys: Sequence[float], z: float) -> list[list[float]]:
    return [[distance, x, y, z] for x in xs for y in ys]


CRATE = box_hull(0.2, 0.3, 0.1)
PYRAMID = cloud([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0], [0, 0, 1]])
# First and second shape, their poses, and distance, x, y, z of every contact.
CASES = {
    "a ball in the ground": (
        PLANE, sphere(0.5), ORIGIN, at((1, 2, 0.4)), [[-0.1, 1, 2, -0.05]],
    ),
    "a ball in a wall": (
        PLANE, sphere(0.5), at((1, 0, 0), ABOUT_Y), at((1.4, 3, 4)), [[-0.1, 0.95, 3, 4]],
    ),
    "a capsule that stands": (
        PLANE, capsule(0.1, 0.3), ORIGIN, at((0, 0, 0.35)), [[-0.05, 0, 0, -0.025]],
    ),
    "a capsule that lies": (
        PLANE, capsule(0.1, 0.3), ORIGIN, at((0, 0, 0.08), ABOUT_Y),
        [[-0.02, -0.3, 0, -0.01], [-0.02, 0.3, 0, -0.01]],
    ),
    "an ellipsoid": (
        PLANE, ellipsoid(0.1, 0.2, 0.3), ORIGIN, at((0, 0, 0.15), ABOUT_X),
        [[-0.05, 0, 0, -0.025]],
    ),
    "a cylinder that stands: a triangle": (
        PLANE, cylinder(0.2, 0.5), ORIGIN, at((0, 0, 0.4)),
        [
            [-0.1, -0.1, -0.1 * math.sqrt(3), -0.05],
            [-0.1, -0.1, 0.1 * math.sqrt(3), -0.05],
            [-0.1, 0.2, 0, -0.05],
        ],
    ),
    "a cylinder that lies": (
        PLANE, cylinder(0.2, 0.5), ORIGIN, at((0, 0, 0.1), ABOUT_X),
        [[-0.1, 0, -0.5, -0.05], [-0.1, 0, 0.5, -0.05]],
    ),
    "a box": (
        PLANE, box(0.2, 0.3, 0.1), ORIGIN, at((0, 0, 0.05)),
        grid(-0.05, (-0.2, 0.2), (-0.3, 0.3), -0.025),
    ),
    "a crate of a mesh": (
        PLANE, CRATE, ORIGIN, at((0, 0, 0.05)),
        grid(-0.05, (-0.2, 0.2), (-0.3, 0.3), -0.025),
    ),
    "two balls": (
        sphere(0.3), sphere(0.2), ORIGIN, at((0.4, 0, 0)), [[-0.1, 0.25, 0, 0]],
    ),
    "a ball beside a capsule": (
        sphere(0.3), capsule(0.1, 0.5), at((0.35, 0, 0.2)), ORIGIN, [[-0.05, 0.075, 0, 0.2]],
    ),
    "a ball beyond a capsule": (
        sphere(0.3), capsule(0.1, 0.5), at((0, 0, 0.8)), ORIGIN, [[-0.1, 0, 0, 0.55]],
    ),
    "a ball on a cylinder's end": (
        sphere(0.3), cylinder(0.4, 0.5), at((0.2, 0, 0.7)), ORIGIN, [[-0.1, 0.2, 0, 0.45]],
    ),
    "a ball in a cylinder's rim": (
        sphere(0.5), cylinder(0.4, 0.5), at((0.7, 0, 0.9)), ORIGIN,
        [[0.0, 0.4, 0, 0.5]],
    ),
    "a ball on a box": (
        sphere(0.3), box(0.5, 0.5, 0.5), at((0.1, 0.2, 0.7)), ORIGIN, [[-0.1, 0.1, 0.2, 0.45]],
    ),
    "a ball in a box: out by the nearest face": (
        sphere(0.1), box(0.5, 0.5, 0.5), at((0.1, 0.2, 0.4)), ORIGIN, [[-0.2, 0.1, 0.2, 0.4]],
    ),
    "capsules across": (
        capsule(0.1, 0.5), capsule(0.1, 0.5), at((0, 0, 0), ABOUT_X), at((0, 0, 0.15), ABOUT_Y),
        [[-0.05, 0, 0, 0.075]],
    ),
    "capsules side by side, ends of where they are": (
        capsule(0.1, 0.5), capsule(0.1, 0.5), ORIGIN, at((0.15, 0, 0.6)),
        [[-0.05, 0.075, 0, 0.1], [-0.05, 0.075, 0, 0.5]],
    ),
    "a capsule along a box": (
        capsule(0.1, 0.3), box(0.5, 0.5, 0.5), at((0, 0, 0.55), ABOUT_Y), ORIGIN,
        [[-0.05, -0.3, 0, 0.475], [-0.05, 0.3, 0, 0.475]],
    ),
    "a capsule over a box' edge": (
        capsule(0.1, 0.5), box(0.5, 0.5, 0.5), at((0.6, 0, 0.55), ABOUT_Y), ORIGIN,
        [[-0.05, 0.1, 0, 0.475], [-0.05, 0.5, 0, 0.475]],
    ),
    "boxes, a small one on a large one": (
        box(1, 1, 0.5), box(0.2, 0.3, 0.1), ORIGIN, at((0.1, 0.1, 0.55)),
        grid(-0.05, (-0.1, 0.3), (-0.2, 0.4), 0.475),
    ),
    "boxes, half over the edge": (
        box(1, 1, 0.5), box(0.2, 0.3, 0.1), ORIGIN, at((1.0, 0, 0.55)),
        grid(-0.05, (0.8, 1.0), (-0.3, 0.3), 0.475),
    ),
    "boxes, edges across": (
        box(0.5, 0.5, 0.5), box(0.5, 0.5, 0.5),
        at((0, 0, 0), (math.cos(math.pi / 8), math.sin(math.pi / 8), 0, 0)),
        at((0, 0, math.sqrt(2) - 0.01), (math.cos(math.pi / 8), 0, math.sin(math.pi / 8), 0)),
        [[-0.01, 0, 0, HALF - 0.005]],
    ),
    "a crate on a box": (
        box(1, 1, 0.5), CRATE, ORIGIN, at((0.1, 0.1, 0.55)),
        grid(-0.05, (-0.1, 0.3), (-0.2, 0.4), 0.475),
    ),
    "crates across": (
        CRATE, CRATE, ORIGIN, at((0, 0, 0.15), (HALF, 0, 0, HALF)),
        grid(-0.05, (-0.2, 0.2), (-0.2, 0.2), 0.075),
    ),
    "a capsule along a crate": (
        capsule(0.1, 0.15), CRATE, at((0, 0, 0.18), ABOUT_Y), ORIGIN,
        [[-0.02, -0.15, 0, 0.09], [-0.02, 0.15, 0, 0.09]],
    ),
    "a cylinder along a box": (
        cylinder(0.1, 0.3), box(1, 1, 0.5), at((0, 0, 0.55), ABOUT_Y), ORIGIN,
        [[-0.05, -0.3, 0, 0.475], [-0.05, 0.3, 0, 0.475]],
    ),
    "a tip on a box": (
        box(1, 1, 0.5), PYRAMID, ORIGIN, at((0, 0, 1.45), (0.0, 1.0, 0.0, 0.0)),
        [[-0.05, 0, 0, 0.475]],
    ),
    "an ellipsoid on a box": (
        ellipsoid(0.1, 0.2, 0.3), box(1, 1, 0.5), at((0.1, 0.2, 0.75)), ORIGIN,
        [[-0.05, 0.1, 0.2, 0.475]],
    ),
    "two ellipsoids": (
        ellipsoid(0.1, 0.2, 0.3), ellipsoid(0.3, 0.2, 0.1), ORIGIN, at((0, 0, 0.35)),
        [[-0.05, 0, 0, 0.275]],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_places(case: tuple[Posable, Posable, list[float], list[float], list[list[float]]]) -> None:
    first, second, a, b, expected = case
    found = meet(first, second, a, b, room=1e-9)
    # Where both are round, a depth known to 1e-12 leaves the points uncertain by its root.
    vague = first.type == second.type == 4
    assert_allclose(rows(found), sorted(expected), atol=1e-6 if vague else 1e-9)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_normals_point_from_the_first_to_the_second(
    case: tuple[Posable, Posable, list[float], list[float], list[list[float]]],
) -> None:
    """Along the normal, the second shape's support is as far back as the contact is deep."""
    first, second, a, b, _ = case
    found = meet(first, second, a, b, room=1e-9)
    step = 1e-3
    deepest = int(np.argmin(found.distance))
    moved = np.array(b, dtype=np.float64)
    moved[:3] += step * found.frame[deepest, 0]
    apart = meet(first, second, a, list(moved), room=1.0)
    assert apart.distance.min() == pytest.approx(found.distance.min() + step, abs=1e-8)


@pytest.mark.parametrize("room", [0.0, 0.05, 0.2])
def test_contacts_end_where_the_room_ends(room: float) -> None:
    for first, second in ((PLANE, sphere(0.1)), (sphere(0.1), box(1, 1, 1)), (CRATE, CRATE)):
        low = {0: 0.1, 2: 1.1, 7: 0.2}[first.type]
        a, b = (ORIGIN, at((0, 0, low + room - 1e-6)))
        if first.type == 2:
            a, b = b, a
        assert len(meet(first, second, a, b, room).pair) >= 1
        a, b = (ORIGIN, at((0, 0, low + room + 1e-6)))
        if first.type == 2:
            a, b = b, a
        assert len(meet(first, second, a, b, room).pair) == 0


NORMALS = [(0, 0, 1), (0, 1, 0), (1, 0, 0), (0, -1, 0), (0.6, 0.0, 0.8), (0.1, 0.7, -0.7)]


@pytest.mark.parametrize("direction", NORMALS)
def test_frames(direction: tuple[float, float, float]) -> None:
    """The first tangent is the y axis across the normal, or z where the normal is nearer to y."""
    normal = np.array(direction, dtype=np.float64)
    normal /= np.linalg.norm(normal)
    found = meet(sphere(0.3), sphere(0.3), ORIGIN, at([float(x) for x in 0.5 * normal]))
    wanted = np.array([0.0, 0.0, 1.0] if abs(normal[1]) >= 0.5 else [0.0, 1.0, 0.0])
    tangent = wanted - normal * (normal @ wanted)
    tangent /= np.linalg.norm(tangent)
    assert_allclose(found.frame[0], [normal, tangent, np.cross(normal, tangent)], atol=EXACT)


def test_a_capsule_on_the_ground_has_its_axis_for_a_tangent() -> None:
    turn = (math.cos(0.35), 0.0, 0.0, math.sin(0.35))
    lying = native.contacts(
        world_of(PLANE, capsule(0.1, 0.3)),
        np.array([[*ORIGIN, 0.0, 0.0, 0.08, *_times(turn, ABOUT_Y)]]),
    )
    axis = np.array([math.cos(0.7), math.sin(0.7), 0.0])
    assert_allclose(lying.frame[:, 1], [axis, axis], atol=EXACT)
    standing = meet(PLANE, capsule(0.1, 0.3), ORIGIN, at((0, 0, 0.35)))
    assert_allclose(standing.frame[0, 1], [1.0, 0.0, 0.0], atol=EXACT)


def _times(a: Sequence[float], b: Sequence[float]) -> list[float]:
    """The product of two quaternions."""
    w, u = a[0], np.array(a[1:])
    s, v = b[0], np.array(b[1:])
    return [float(w * s - u @ v), *(float(x) for x in w * v + s * u + np.cross(u, v))]


def test_an_octagon_keeps_eight_corners_of_boxes_and_four_of_crates() -> None:
    boxes = meet(box(0.2, 0.2, 0.1), box(0.2, 0.2, 0.1), ORIGIN, at((0, 0, 0.19), ABOUT_Z_45))
    assert len(boxes.pair) == 8
    radius = 0.2 / math.cos(math.pi / 8)
    assert_allclose(np.linalg.norm(boxes.position[:, :2], axis=1), radius, atol=EXACT)
    square = box_hull(0.2, 0.2, 0.1)
    crates = meet(square, square, ORIGIN, at((0, 0, 0.19), ABOUT_Z_45))
    assert len(crates.pair) == 4
    corners = crates.position[:, :2]
    assert_allclose(np.linalg.norm(corners, axis=1), radius, atol=EXACT)
    spans = np.linalg.norm(corners - np.roll(corners, -2, axis=0), axis=1)
    assert (spans > 1.8 * radius).all()  # almost across the middle


def test_balls_of_triangles_meet_where_balls_do() -> None:
    """Hulls of ever more vertices come near to the sphere that they are of."""
    errors: list[float] = []
    for rings in (5, 11, 23):
        ball = ball_hull(rings, 2 * rings, (0.5, 0.5, 0.5))
        poses: Array = np.array([[*ORIGIN, 0.3, 0.5, 0.7, 0.8, 0.1, 0.2, 0.5]])
        found = native.contacts(world_of(ball, ball, 0.1), poses)
        exact = math.sqrt(0.3**2 + 0.5**2 + 0.7**2) - 1.0
        errors.append(abs(float(found.distance.min()) - exact))
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 5e-3
