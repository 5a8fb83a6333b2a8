"""The convex hulls that stand for a Model's meshes wherever it collides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from phyzctl.geometry.hull import ConvexHull, convex_hull, volume_ratio
from phyzctl.geometry.mesh import MeshError
from phyzctl.geometry.shapes import MeshShape
from phyzctl.model.arrays import Indices
from phyzctl.model.body import Pair
from phyzctl.model.geom import Geom, GeomType
from phyzctl.model.passes.meshes import mesh_data
from phyzctl.records import dataclass
from phyzctl.robot.elements import Mesh


@dataclass(frozen=True, eq=False)
class GeomHulls:
    """The hulls of the colliding meshes, each made once.

    `ratios` are their volumes over those of the meshes, see `volume_ratio`. `index` (ngeom,)
    says which hull a geom has, -1 for none. `missing` are colliding mesh geoms (indices) whose
    hull can't be had, with the reason.
    """

    hulls: tuple[ConvexHull, ...]
    ratios: tuple[float | None, ...]
    index: Indices
    missing: dict[int, str]


def geom_hulls(meshes: Iterable[Mesh], geoms: Sequence[Geom], pairs: Iterable[Pair]) -> GeomHulls:
    """The hulls of all mesh geoms that collide, also by one of the explicit `pairs` alone."""
    paired = {number for pair in pairs for number in pair}
    by_name = {mesh.name: mesh for mesh in meshes}
    made: list[tuple[ConvexHull, float | None]] = []
    known: dict[str, int | str] = {}  # a mesh's hull, or why there is none
    index = np.full(len(geoms), -1, dtype=np.int32)
    missing: dict[int, str] = {}
    for number, geom in enumerate(geoms):
        if geom.type is not GeomType.MESH or not (geom.collides or number in paired):
            continue
        name = geom.shape.mesh if isinstance(geom.shape, MeshShape) else ""
        if name not in known:
            found = _hull(by_name.get(name))
            known[name] = found if isinstance(found, str) else len(made)
            made += [] if isinstance(found, str) else [found]
        hull = known[name]
        if isinstance(hull, int):
            index[number] = hull
        else:
            missing[number] = hull
    hulls, ratios = tuple(hull for hull, _ in made), tuple(ratio for _, ratio in made)
    return GeomHulls(hulls, ratios, index, missing)


def _hull(mesh: Mesh | None) -> tuple[ConvexHull, float | None] | str:
    """The hull of a mesh and its ratio, or why there is none."""
    try:
        data = None if mesh is None else mesh_data(mesh)
        if data is None:
            return "its file is missing"
        hull = convex_hull(data.vertices)
        return hull, volume_ratio(hull, data)
    except (MeshError, ValueError) as error:
        return str(error)
