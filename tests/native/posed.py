"""Shapes to collide, random poses, and their support functions written a second time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from phyzctl import native

Array = NDArray[np.float64]
PAIR = np.array([[0, 1]], dtype=np.int32)


@dataclass(frozen=True, eq=False)
class Posable:
    """A shape as the kernel takes it; `type` as in model.GeomType."""

    type: int
    size: tuple[float, float, float] = (0.0, 0.0, 0.0)
    hull: native.HullArrays | None = None
    padding: float = 0.0

    def padded(self, padding: float) -> Posable:
        return replace(self, padding=padding)


def sphere(radius: float) -> Posable:
    return Posable(2, (radius, 0.0, 0.0))


def capsule(radius: float, half: float) -> Posable:
    return Posable(3, (radius, half, 0.0))


def ellipsoid(*radii: float) -> Posable:
    x, y, z = radii
    return Posable(4, (x, y, z))


def cylinder(radius: float, half: float) -> Posable:
    return Posable(5, (radius, half, 0.0))


def box(*half: float) -> Posable:
    x, y, z = half
    return Posable(6, (x, y, z))


PLANE = Posable(0)


def cloud(points: Sequence[Sequence[float]] | Array) -> Posable:
    """A hull without edges: the kernel looks at every vertex."""
    vertices = np.array(points, dtype=np.float64)
    start = np.zeros(len(vertices) + 1, dtype=np.int32)
    return Posable(7, hull=native.HullArrays(vertices, start, np.empty(0, dtype=np.int32)))


def box_hull(*half: float) -> Posable:
    """A box as a hull, with the edges of the cube."""
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    neighbours = np.array([[i ^ 4, i ^ 2, i ^ 1] for i in range(8)], dtype=np.int32).ravel()
    start = np.arange(0, 25, 3, dtype=np.int32)
    return Posable(7, hull=native.HullArrays(signs * np.array(half), start, neighbours))


def ball_hull(rings: int, around: int, radii: Sequence[float]) -> Posable:
    """A globe of latitudes and longitudes, stretched to `radii`; edges of its triangles."""
    latitudes = np.pi * (np.arange(1, rings + 1) / (rings + 1) - 0.5)
    points: list[tuple[float, float, float]] = [(0.0, 0.0, -1.0)]
    for latitude in latitudes:
        for longitude in 2.0 * np.pi * np.arange(around) / around:
            across = np.cos(latitude)
            x, y = across * np.cos(longitude), across * np.sin(longitude)
            points.append((float(x), float(y), float(np.sin(latitude))))
    points.append((0.0, 0.0, 1.0))
    edges: set[tuple[int, int]] = set()
    last = len(points) - 1
    for ring in range(rings):
        for k in range(around):
            here = 1 + ring * around + k
            aside = 1 + ring * around + (k + 1) % around
            above = here + around if ring + 1 < rings else last
            below = here - around if ring > 0 else 0
            edges |= {(here, aside), (here, above), (here, below)}
    both = sorted(edges | {(j, i) for i, j in edges})
    ends = np.array([j for _, j in both], dtype=np.int32)
    start = np.searchsorted([i for i, _ in both], np.arange(len(points) + 1)).astype(np.int32)
    vertices = np.array(points) * np.array(radii)
    return Posable(7, hull=native.HullArrays(vertices, start, ends))


SHAPES = {
    "sphere": sphere(0.3),
    "capsule": capsule(0.2, 0.4),
    "ellipsoid": ellipsoid(0.5, 0.3, 0.2),
    "cylinder": cylinder(0.3, 0.4),
    "box": box(0.2, 0.3, 0.5),
    "hull": ball_hull(5, 9, (0.4, 0.3, 0.5)),
}
SHAPE_PAIRS = [(a, b) for i, a in enumerate(SHAPES) for b in list(SHAPES)[i:]]


def shapes_of(items: Sequence[Posable]) -> native.Shapes:
    hulls = [item.hull for item in items if item.hull is not None]
    numbers = np.cumsum([item.hull is not None for item in items], dtype=np.int32) - 1
    return native.Shapes(
        np.array([item.type for item in items], dtype=np.int32),
        np.array([item.size for item in items], dtype=np.float64),
        hulls=hulls,
        hull=numbers.astype(np.int32),
        padding=np.array([item.padding for item in items], dtype=np.float64),
    )


def distances(a: Posable, b: Posable, poses: Array) -> native.Distances:
    """Of the pair in the placements `poses` (n, 2, 7), results without the axis of pairs."""
    found = native.distances(shapes_of([a, b]), poses, PAIR)
    return native.Distances(
        found.distance[:, 0], found.normal[:, 0], found.a[:, 0], found.b[:, 0], found.capped
    )


def overlaps(a: Posable, b: Posable, poses: Array, margin: float = 0.0) -> NDArray[np.bool_]:
    return native.overlaps(shapes_of([a, b]), poses, PAIR, margin=margin)[:, 0]


def random_poses(rng: np.random.Generator, count: int, spread: float = 0.6) -> Array:
    """(count, 2, 7): positions in a cube of half edge `spread`, any rotation."""
    poses = np.empty((count, 2, 7))
    poses[..., :3] = rng.uniform(-spread, spread, (count, 2, 3))
    turns = rng.normal(size=(count, 2, 4))
    poses[..., 3:] = turns / np.linalg.norm(turns, axis=-1, keepdims=True)
    return poses


def at(position: Sequence[float], turn: Sequence[float] = (1.0, 0.0, 0.0, 0.0)) -> list[float]:
    return [*position, *turn]


def placed(*rows: Sequence[float]) -> Array:
    """One placement of the shapes, each given by `at`."""
    return np.array([rows], dtype=np.float64)


def rotations(poses: Array) -> Array:
    """(n, 3, 3), from quaternions of length one."""
    w, x, y, z = poses[:, 3:].T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


def reach(shape: Posable, pose: Array, directions: Array) -> Array:
    """(n,): how far the placed shape reaches along each of n unit directions."""
    d = np.einsum("nji,nj->ni", rotations(pose), directions)
    a, b, _ = shape.size
    if shape.hull is not None:
        extent = (d @ shape.hull.vertices.T).max(axis=1)
    elif shape.type in (2, 3):
        extent = a + b * np.abs(d[:, 2])
    elif shape.type == 4:
        extent = np.linalg.norm(d * shape.size, axis=1)
    elif shape.type == 5:
        extent = a * np.hypot(d[:, 0], d[:, 1]) + b * np.abs(d[:, 2])
    else:
        extent = np.abs(d) @ np.array(shape.size)
    return np.asarray(extent + shape.padding + np.einsum("ni,ni->n", pose[:, :3], directions))


def gap_along(a: Posable, b: Posable, poses: Array, normals: Array) -> Array:
    """How far the planes across `normals` part A from B; negative, how far they don't."""
    return -reach(b, poses[:, 1], -normals) - reach(a, poses[:, 0], normals)
