"""The convex hulls that stand for a Model's meshes wherever it collides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from phyzctl.geometry.hull import ConvexHull, convex_hull
from phyzctl.geometry.mesh import MeshError
from phyzctl.geometry.shapes import MeshShape
from phyzctl.model.arrays import Indices
from phyzctl.model.geom import GeomType
from phyzctl.model.passes.meshes import mesh_data

if TYPE_CHECKING:
    from phyzctl.model.model import Model


@dataclass(frozen=True, eq=False)
class GeomHulls:
    """The hulls of the colliding meshes, each made once.

    `index` (ngeom,) says which hull a geom has, -1 for none. `missing` are colliding mesh geoms
    (indices) whose hull can't be had, with the reason.
    """

    hulls: tuple[ConvexHull, ...]
    index: Indices
    missing: dict[int, str]


def geom_hulls(model: Model) -> GeomHulls:
    """The hulls of all mesh geoms of `model` that collide."""
    meshes = {mesh.name: mesh for mesh in model.robot.meshes}
    hulls: list[ConvexHull] = []
    known: dict[str, int | str] = {}  # a mesh's hull, or why there is none
    index = np.full(model.ngeom, -1, dtype=np.int32)
    missing: dict[int, str] = {}
    for number, geom in enumerate(model.geoms):
        if geom.type is not GeomType.MESH or not geom.collides:
            continue
        name = geom.shape.mesh if isinstance(geom.shape, MeshShape) else ""
        if name not in known:
            found: int | str = "its file is missing"
            try:
                data = mesh_data(meshes[name]) if name in meshes else None
                if data is not None:
                    hulls.append(convex_hull(data.vertices))
                    found = len(hulls) - 1
            except (MeshError, ValueError) as error:
                found = str(error)
            known[name] = found
        hull = known[name]
        if isinstance(hull, int):
            index[number] = hull
        else:
            missing[number] = hull
    return GeomHulls(tuple(hulls), index, missing)
