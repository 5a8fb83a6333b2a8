"""How large shapes are: bounding boxes of primitives in closed form, of meshes from their files."""

from __future__ import annotations

import importlib
import math
from collections.abc import Sequence

from phyzctl.errors import PhyzctlError
from phyzctl.geometry.primitives import half_extents
from phyzctl.geometry.shapes import HeightfieldShape, MeshShape, Plane, Vec3
from phyzctl.lint.poses import Box, Pose, around, from_quat, pose_of, transposed
from phyzctl.robot.elements import Geom, Link, Mesh

_POINT_LIMIT = 1e6  # [m] what is farther out is not a robot's


class Extents:
    """Boxes of shapes. Every mesh is opened once, and only when it is asked for.

    `broken` says of each mesh whose file could not be read, why.
    """

    def __init__(self, meshes: Sequence[Mesh]) -> None:
        self._meshes = {mesh.name: mesh for mesh in meshes}
        self._boxes: dict[str, Box | None] = {}
        self.broken: dict[str, str] = {}

    def boxes(self, link: Link, X: Pose | None) -> list[Box] | None:
        """The boxes of a link's shapes in the frame in which `X` places the link.

        Planes and height fields, which have no bounds, are left out. None when a shape is not
        known: not readable, or a mesh whose file is not there.
        """
        found = []
        for geom in link.geoms:
            if isinstance(geom.shape, Plane | HeightfieldShape):
                continue
            own, at = self._box(geom), pose_of(geom)
            if own is None or at is None or X is None:
                return None
            found.append(own.seen_from(X @ at))
        return found

    def _box(self, geom: Geom) -> Box | None:
        """The box around a geom in its own frame."""
        mesh = geom.shape.mesh if isinstance(geom.shape, MeshShape) else geom.fit_mesh
        if mesh is not None:
            return self.mesh_box(mesh)
        half = half_extents(geom.shape) if geom.shape is not None else None
        if half is None or not all(0.0 < extent < _POINT_LIMIT for extent in half):
            return None
        return Box((-half[0], -half[1], -half[2]), half)

    def mesh_box(self, name: str) -> Box | None:
        """The box around a mesh asset in its frame; None when it is not there or broken."""
        if name not in self._boxes:
            mesh = self._meshes.get(name)
            self._boxes[name] = None if mesh is None else self._placed(mesh)
        return self._boxes[name]

    def _placed(self, mesh: Mesh) -> Box | None:
        """The box around a mesh asset: taken out of the frame it states, then scaled."""
        if mesh.vertices is not None:
            box = around(Box(vertex, vertex) for vertex in mesh.vertices)
        else:
            box = self._box_of_file(mesh)
        rows = from_quat(mesh.refquat)
        if box is None or rows is None or mesh.scale is None:
            return None
        back = transposed(rows)
        x, y, z = Pose(rows=back).point(mesh.refpos)
        return _scaled(box.seen_from(Pose((-x, -y, -z), back)), mesh.scale)

    def _box_of_file(self, mesh: Mesh) -> Box | None:
        if mesh.file is None:
            return None
        # Reading meshes takes numpy, which robots without meshes needn't wait for.
        reader = importlib.import_module("phyzctl.geometry.mesh")
        try:
            low, high = reader.mesh_extent(mesh.file)
        except PhyzctlError as error:
            self.broken[mesh.name] = str(error)
            return None
        return Box(tuple(low.tolist()), tuple(high.tolist()))


def _scaled(box: Box, scale: Vec3) -> Box | None:
    if not all(math.isfinite(factor) for factor in scale):
        return None
    (a, b, c), (d, e, f), (x, y, z) = box.low, box.high, scale
    low, high = (a * x, b * y, c * z), (d * x, e * y, f * z)
    return around((Box(low, low), Box(high, high)))
