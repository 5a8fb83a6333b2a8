"""Mass properties of meshes, in the four ways that MJCF's mesh attribute `inertia` offers.

All are at unit density: a RigidInertia whose mass is the volume [m³] or, for a shell, the area
[m²]. `scaled` turns it into one of a given density or mass.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phyzctl.errors import PhyzctlError
from phyzctl.geometry.hull import convex_hull
from phyzctl.geometry.meshdata import MeshData, MeshError
from phyzctl.spatial import Array, RigidInertia

INERTIA_MODES = ("legacy", "exact", "convex", "shell")


def mesh_inertia(mesh: MeshData, mode: str) -> RigidInertia:
    """The mass properties of `mesh` at unit density, in the frame of its vertices.

    * `exact`: the solid that the faces enclose; its mass is negative if they look inwards.
    * `convex`: the solid convex hull of the vertices.
    * `shell`: the surface, of unit mass per area.
    * `legacy`: MuJoCo's default. Every face spans a tetrahedron with a point inside, and all
      count as positive, so that a shape with hollows weighs more than it should.

    A mesh with holes or faces turned the wrong way has no volume of its own; it gets what
    MuJoCo makes of it. `phyzctl.native.mesh_mass_properties` is faster and equal to `exact`
    where a mesh is closed.

    A cloud of points has no faces and is always taken as its hull. Raises PhyzctlError for
    another mode, MeshError for points without a hull.
    """
    if mode not in INERTIA_MODES:
        known = ", ".join(INERTIA_MODES)
        raise PhyzctlError(f"mesh inertia {mode!r} is not known; choose one of {known}")
    if mode == "convex" or mesh.is_cloud:
        mesh = _hull(mesh)
    if mode == "shell":
        return _shell(mesh.corners)
    return _solid(mesh.corners, always_positive=mode == "legacy")


def _hull(mesh: MeshData) -> MeshData:
    """The convex hull of the vertices, faces wound outwards. Raises MeshError if it is flat."""
    hull = convex_hull(mesh.vertices)
    if not hull.volume > 0.0:
        raise MeshError("the vertices of the mesh span no volume, so it has no hull")
    return MeshData(hull.vertices, hull.faces)


def _solid(corners: NDArray[np.float64], *, always_positive: bool) -> RigidInertia:
    """The sum of the tetrahedra between the faces and a point, the com at last.

    The com itself is found with the tetrahedra about the centroid of the surface. For a closed
    mesh with signed tetrahedra the points don't matter; else they are MuJoCo's.
    """
    apex = _centroid(corners.mean(axis=1), _areas(corners))[1]
    volumes = _volumes(corners - apex, always_positive)
    com = _centroid((corners.sum(axis=1) + apex) / 4.0, volumes)[1]
    about_com = corners - com
    volumes = _volumes(about_com, always_positive)
    inertia = _inertia_of(_second_moment(about_com, volumes, 20.0))
    return RigidInertia(float(volumes.sum()), com, inertia)


def _shell(corners: NDArray[np.float64]) -> RigidInertia:
    areas = _areas(corners)
    area, com = _centroid(corners.mean(axis=1), areas)
    return RigidInertia(area, com, _inertia_of(_second_moment(corners - com, areas, 12.0)))


def _areas(corners: NDArray[np.float64]) -> Array:
    sides = corners[:, 1:] - corners[:, :1]
    lengths: Array = 0.5 * np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1)
    return lengths


def _volumes(corners: NDArray[np.float64], always_positive: bool) -> Array:
    """The sizes of the tetrahedra between the origin and every face, which looks away from it."""
    normals = np.cross(corners[:, 1], corners[:, 2])
    sizes: Array = np.einsum("ij,ij->i", corners[:, 0], normals) / 6.0
    return np.abs(sizes) if always_positive else sizes


def _centroid(points: Array, weights: Array) -> tuple[float, Array]:
    """The sum of the weights and the weighted mean of the points; the plain mean if it is 0."""
    total = float(weights.sum())
    return total, (weights @ points / total if total != 0.0 else points.mean(axis=0))


def _second_moment(corners: NDArray[np.float64], sizes: Array, divisor: float) -> Array:
    """Sum over all faces of ∫ x xᵀ (3, 3).

    Over a triangle of a given size it is size / 12 (Σ p pᵀ + s sᵀ), over the tetrahedron between
    it and the origin size / 20 (the same), p being the three corners and s their sum.
    """
    sums = corners.sum(axis=1)
    points = corners.reshape(-1, 3)
    moment: Array = points.T @ (points * np.repeat(sizes, 3)[:, None])
    moment += sums.T @ (sums * sizes[:, None])
    return moment / divisor


def _inertia_of(second_moment: Array) -> Array:
    tensor: Array = np.trace(second_moment) * np.eye(3) - second_moment
    return tensor
