"""Distances against Coal's, between all kinds of convex shapes."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest

from phyzctl.geometry.hull import ConvexHull, convex_hull
from phyzctl.geometry.shapes import Box, Capsule, Cylinder, Ellipsoid, Plane, Sphere
from phyzctl.scene.contact import RefKind
from phyzctl.scene.environment import CollisionEnv
from phyzctl.scene.items import AttachedShape, Obstacle, SceneShape
from phyzctl.spatial import Array, pose
from tests.scene.robots import slider_rail

coal = pytest.importorskip("coal")

POINT = slider_rail(1)
SHAPES: dict[str, SceneShape] = {
    "sphere": Sphere(0.2),
    "capsule": Capsule(0.1, 0.4),
    "cylinder": Cylinder(0.2, 0.3),
    "box": Box((0.3, 0.4, 0.5)),
    "ellipsoid": Ellipsoid((0.3, 0.2, 0.1)),
    "hull": convex_hull(0.2 * np.random.default_rng(3).normal(size=(24, 3))),
}
PAIRS = list(combinations_with_replacement(SHAPES, 2))


def peer(shape: SceneShape) -> Any:
    match shape:
        case Sphere(radius=float(radius)):
            return coal.Sphere(radius)
        case Capsule(radius=float(radius), length=float(length)):
            return coal.Capsule(radius, length)
        case Cylinder(radius=float(radius), length=float(length)):
            return coal.Cylinder(radius, length)
        case Box(size=tuple(size)):
            return coal.Box(*size)
        case Ellipsoid(radii=tuple(radii)):
            return coal.Ellipsoid(*radii)
        case Plane():
            return coal.Halfspace(np.array([0.0, 0.0, 1.0]), 0.0)
        case ConvexHull(vertices=vertices, faces=faces):
            points, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
            for vertex in vertices:
                points.append(vertex)
            for face in faces.tolist():
                triangles.append(coal.Triangle(*face))
            return coal.Convex(points, triangles)
    raise TypeError(shape)


def their_distance(a: Any, X_A: Array, b: Any, X_B: Array) -> float:
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.gjk_tolerance = 1e-10  # below that it often ends too early
    request.gjk_max_iterations = 1000
    first, second = (coal.Transform3s(X[:3, :3].copy(), X[:3, 3].copy()) for X in (X_A, X_B))
    return float(coal.distance(a, first, b, second, request, result))


def our_distance(a: SceneShape, X_A: Array, b: SceneShape, X_B: Array) -> float:
    env = CollisionEnv([Obstacle(b, X_B)]).with_attached([AttachedShape(a, None, X_A)])
    contacts = env.check(POINT, [], margin=100.0).contacts
    chosen = [c for c in contacts if c.a.kind is RefKind.ATTACHED and c.kind == 1]
    return chosen[0].distance


def random_pose(rng: np.random.Generator, spread: float) -> Array:
    turn = rng.normal(size=4)
    return pose(xyz=rng.uniform(-spread, spread, 3), quat=turn / np.linalg.norm(turn))


@pytest.mark.parametrize("names", PAIRS, ids="-".join)
def test_apart(names: tuple[str, str]) -> None:
    a, b = (SHAPES[name] for name in names)
    peers, rng = (peer(a), peer(b)), np.random.default_rng(PAIRS.index(names))
    compared = 0
    while compared < 12:
        X_A, X_B = random_pose(rng, 0.7), random_pose(rng, 0.7)
        theirs = their_distance(peers[0], X_A, peers[1], X_B)
        if theirs > 1e-3:
            assert our_distance(a, X_A, b, X_B) == pytest.approx(theirs, abs=1e-8)
            compared += 1


@pytest.mark.parametrize("name", SHAPES)
def test_half_space(name: str) -> None:
    rng = np.random.default_rng(5)
    mine, theirs = SHAPES[name], peer(SHAPES[name])
    for _ in range(12):
        X_A, X_B = random_pose(rng, 0.7), random_pose(rng, 0.3)
        expected = their_distance(theirs, X_A, peer(Plane()), X_B)
        assert our_distance(mine, X_A, Plane(), X_B) == pytest.approx(expected, abs=1e-8)
