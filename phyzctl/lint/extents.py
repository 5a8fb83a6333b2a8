"""How large shapes are: bounding boxes of primitives in closed form, of meshes from their files."""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterable, Sequence

from phyzctl.errors import PhyzctlError
from phyzctl.geometry.primitives import half_extents
from phyzctl.geometry.shapes import HeightfieldShape, MeshShape, Plane, Vec3
from phyzctl.lint.poses import Box, Pose, around, from_quat, pose_of, transposed
from phyzctl.robot.elements import Geom, Link, Mesh

_POINT_LIMIT = 1e6  # [m] what is farther out is not a robot's
_LARGE, _TINY = 5.0, 1e-4  # [m] meshes beyond may be in another unit
_NEAR = (0.05, 20.0)  # times the distance between joints: the size of a part


class Extents:
    """Boxes of shapes. Every mesh is opened once, and only when it is asked for.

    `broken` says of each mesh whose file could not be read, why. `misscaled` has the sizes [m] of
    those that fit a robot with joints `spacing` [m] apart only when they are divided, or
    multiplied, by 1000; as boxes they are not known.
    """

    def __init__(self, meshes: Sequence[Mesh], spacing: float | None = None) -> None:
        self._meshes = {mesh.name: mesh for mesh in meshes}
        self._boxes: dict[str, Box | None] = {}
        self.broken: dict[str, str] = {}
        self.misscaled: dict[str, float] = {}
        self._spacing = spacing

    def boxes(
        self, link: Link, X: Pose | None, *, among: Iterable[Geom] | None = None
    ) -> list[Box] | None:
        """The boxes of a link's shapes, or `among` them, in the frame in which `X` places it.

        Planes and height fields, which have no bounds, are left out. None when a shape is not
        known: not readable, or a mesh whose file is not there.
        """
        found = []
        for geom in link.geoms if among is None else among:
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
        """The box around a mesh asset in its frame; None when not there, broken or misscaled."""
        if name not in self._boxes:
            mesh = self._meshes.get(name)
            box = None if mesh is None else self._placed(mesh)
            if box is not None and self._is_misscaled(max(box.sides)):
                self.misscaled[name] = max(box.sides)
                box = None
            self._boxes[name] = box
        return self._boxes[name]

    def _is_misscaled(self, size: float) -> bool:
        if self._spacing is None or size == 0.0 or _TINY <= size <= _LARGE:
            return False
        repaired = size / 1000.0 if size > _LARGE else size * 1000.0
        return _NEAR[0] <= repaired / self._spacing <= _NEAR[1]

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
