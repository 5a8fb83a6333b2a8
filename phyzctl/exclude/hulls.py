"""Convex hulls of meshes, as the kernel takes them, with how much they invent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from phyzctl import native
from phyzctl.geometry import mesh_inertia
from phyzctl.geometry.mesh import MeshData


@dataclass(frozen=True, eq=False)
class Hull:
    """A hull, and its volume over that of its mesh: None where the mesh encloses nothing."""

    arrays: native.HullArrays
    ratio: float | None


def convex_hull(data: MeshData) -> Hull:
    """The convex hull of a mesh. Raises MeshError for one that is flat."""
    hull = mesh_inertia.convex_hull(data)
    old, corners = np.unique(hull.faces, return_inverse=True)
    triangles = corners.reshape(-1, 3)
    edges = np.concatenate([triangles[:, [a, b]] for a in range(3) for b in range(3) if a != b])
    edges = np.unique(edges, axis=0)
    start = np.searchsorted(edges[:, 0], np.arange(len(old) + 1))
    arrays = native.HullArrays(
        np.ascontiguousarray(hull.vertices[old]),
        start.astype(np.int32),
        np.ascontiguousarray(edges[:, 1], dtype=np.int32),
    )
    return Hull(arrays, _ratio(data, hull))


def _ratio(data: MeshData, hull: MeshData) -> float | None:
    if data.is_cloud:
        return None
    solid = abs(native.mesh_mass_properties(data.vertices, data.faces).volume)
    whole = abs(native.mesh_mass_properties(hull.vertices, hull.faces).volume)
    return whole / solid if solid > 1e-6 * whole else None
