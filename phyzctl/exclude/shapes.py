"""The geoms of a Model as the kernel's convex shapes; meshes become their hulls."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from phyzctl import native
from phyzctl.exclude.facts import HullNote
from phyzctl.exclude.pairs import body_name
from phyzctl.geometry.hull import ConvexHull, convex_hull, volume_ratio
from phyzctl.geometry.mesh import MeshError
from phyzctl.geometry.shapes import MeshShape, Vec3
from phyzctl.model.arrays import Indices
from phyzctl.model.geom import GeomType
from phyzctl.model.model import Model
from phyzctl.model.passes.meshes import mesh_data
from phyzctl.spatial import Array


@dataclass(frozen=True, eq=False)
class Outlines:
    """Shapes for the kernel, one a geom, and the radii (ngeom,) of their bounding spheres [m].

    `missing` are geoms (indices) that could not be had, with the reason.
    """

    shapes: native.Shapes
    radii: Array
    hulls: tuple[HullNote, ...]
    missing: dict[int, str]


def outlines(model: Model) -> Outlines:
    """The shapes of all geoms of `model`."""
    return _Outliner(model).outlines()


class _Outliner:
    def __init__(self, model: Model) -> None:
        self._model = model
        self._meshes = {mesh.name: mesh for mesh in model.robot.meshes}
        self._hulls: list[ConvexHull] = []
        self._ratios: list[float | None] = []
        self._numbers: dict[str, int] = {}
        self._notes: dict[tuple[str, str], HullNote] = {}
        self._missing: dict[int, str] = {}

    def outlines(self) -> Outlines:
        arrays = self._model.arrays
        hull = np.full(self._model.ngeom, -1, dtype=np.int32)
        radii = np.array([_radius(geom.type, geom.size) for geom in self._model.geoms])
        for index, geom in enumerate(self._model.geoms):
            if geom.type is GeomType.MESH and geom.collides and isinstance(geom.shape, MeshShape):
                hull[index] = self._hull(index, geom.shape.mesh)
            if hull[index] >= 0:
                vertices = self._hulls[hull[index]].vertices
                radii[index] = 0.5 * math.hypot(*np.ptp(vertices, axis=0))
        types, sizes = self._usable(arrays.geom_type, arrays.geom_size)
        shapes = native.Shapes(
            types,
            sizes,
            hulls=[each.arrays for each in self._hulls],
            hull=hull,
        )
        return Outlines(shapes, radii, tuple(self._notes.values()), self._missing)

    def _usable(self, types: Indices, sizes: Array) -> tuple[Indices, Array]:
        """Types and sizes without those that no shape can have, which are left out."""
        wrong = np.logical_not(np.isfinite(sizes) & (sizes >= 0.0)).any(axis=1, keepdims=True)
        for index in np.flatnonzero(wrong.ravel()):
            self._missing[int(index)] = "its size is negative or not a number"
        unknown = np.int32(GeomType.UNKNOWN)
        return np.where(wrong.ravel(), unknown, types), np.where(wrong, 0.0, sizes)

    def _hull(self, index: int, name: str) -> int:
        """The number of a mesh's hull, -1 (and a note) when it can't be had."""
        geom = self._model.geoms[index]
        mesh = self._meshes.get(name)
        try:
            if name not in self._numbers:
                data = None if mesh is None else mesh_data(mesh)
                if data is None:
                    self._missing[index] = "its file is missing"
                    return -1
                self._hulls.append(convex_hull(data.vertices))
                self._ratios.append(volume_ratio(self._hulls[-1], data))
                self._numbers[name] = len(self._hulls) - 1
        except MeshError as error:
            self._missing[index] = str(error)
            return -1
        number = self._numbers[name]
        body = body_name(self._model, geom.body)
        self._notes.setdefault((body, name), HullNote(body, name, self._ratios[number]))
        return number


def _radius(kind: GeomType, size: Vec3) -> float:
    """Of the sphere around a shape, centred in its frame [m]; 0 for what has none."""
    x, y, z = size
    match kind:
        case GeomType.SPHERE:
            return x
        case GeomType.CAPSULE:
            return x + y
        case GeomType.CYLINDER:
            return math.hypot(x, y)
        case GeomType.BOX:
            return math.hypot(x, y, z)
        case GeomType.ELLIPSOID:
            return max(size)
        case _:
            return 0.0
