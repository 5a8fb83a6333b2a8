"""The convex hulls that stand for a Model's meshes wherever it collides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from phyzctl.geometry.hull import ConvexHull, convex_hull, volume_ratio
from phyzctl.geometry.mesh import MeshError
from phyzctl.geometry.shapes import MeshShape
from phyzctl.model.arrays import Indices
from phyzctl.model.geom import GeomType
from phyzctl.model.passes.meshes import mesh_data
from phyzctl.robot.elements import Mesh

if TYPE_CHECKING:
    from phyzctl.model.model import Model


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


def geom_hulls(model: Model) -> GeomHulls:
    """The hulls of all mesh geoms of `model` that collide, also by an explicit pair alone."""
    paired = {number for pair in model.contact_pairs for number in pair}
    meshes = {mesh.name: mesh for mesh in model.robot.meshes}
    made: list[tuple[ConvexHull, float | None]] = []
    known: dict[str, int | str] = {}  # a mesh's hull, or why there is none
    index = np.full(model.ngeom, -1, dtype=np.int32)
    missing: dict[int, str] = {}
    for number, geom in enumerate(model.geoms):
        if geom.type is not GeomType.MESH or not (geom.collides or number in paired):
            continue
        name = geom.shape.mesh if isinstance(geom.shape, MeshShape) else ""
        if name not in known:
            found = _hull(meshes.get(name))
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
