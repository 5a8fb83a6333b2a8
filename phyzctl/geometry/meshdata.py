"""A mesh in memory, the error that a bad mesh file raises, and the checks every reader shares."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phyzctl.errors import PhyzctlError
from phyzctl.records import dataclass
from phyzctl.spatial import Numbers, rotation_from_quat

Vertices = NDArray[np.float64]
Faces = NDArray[np.int32]
Extent = tuple[Vertices, Vertices]


class MeshError(PhyzctlError):
    """A mesh file that can't be read: missing, broken, hostile, or of a format not known."""


@dataclass(frozen=True, eq=False)
class MeshData:
    """Triangles: `vertices` (n, 3) float64 [m], `faces` (m, 3) int32, wound outwards.

    The vertices of an STL file come as they stand, three to a face; `merged` joins equal ones.
    A mesh without faces is a cloud of points, of which only the hull has a volume.
    """

    vertices: Vertices
    faces: Faces

    @property
    def extent(self) -> Extent:
        """The lowest and the highest corner (3,) of the bounding box over all vertices [m]."""
        columns = np.ascontiguousarray(self.vertices.T)  # numpy is much faster along rows
        return columns.min(axis=1), columns.max(axis=1)

    @property
    def is_cloud(self) -> bool:
        """True when there are no faces."""
        return len(self.faces) == 0

    @property
    def corners(self) -> NDArray[np.float64]:
        """The corners of every face, (m, 3 corners, 3)."""
        return self.vertices[self.faces]

    def merged(self) -> MeshData:
        """The same triangles with vertices of exactly equal coordinates joined into one."""
        x, y, z = self.vertices.T
        order = np.lexsort((z, y, x))
        ordered = self.vertices[order]
        is_new = np.ones(len(ordered), dtype=bool)
        is_new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
        new_index = np.empty(len(ordered), dtype=np.int32)
        new_index[order] = np.cumsum(is_new) - 1
        return MeshData(ordered[is_new], new_index[self.faces])

    def single_precision(self) -> MeshData:
        """The mesh with vertices rounded to float32, in which MuJoCo keeps what it reads."""
        return MeshData(self.vertices.astype(np.float32).astype(np.float64), self.faces)

    def placed(self, scale: Numbers, refpos: Numbers, refquat: Numbers) -> MeshData:
        """The mesh in the frame that stands at `refpos` [m], `refquat` (w x y z), then scaled.

        `scale` is along the axes of that frame; where it mirrors, faces are turned over, so
        that outside stays outside. The order is MuJoCo's.
        """
        factors = np.asarray(scale, dtype=np.float64)
        moved = self.vertices - np.asarray(refpos, dtype=np.float64)
        vertices = np.ascontiguousarray(moved @ rotation_from_quat(refquat) * factors)
        mirrored = bool(np.prod(np.sign(factors)) < 0.0)
        faces = np.ascontiguousarray(self.faces[:, ::-1]) if mirrored else self.faces
        return MeshData(vertices, faces)


def in_double(points: NDArray[np.floating]) -> Vertices:
    """Coordinates as doubles. A signalling NaN, as random bytes may hold, makes no warning."""
    with np.errstate(invalid="ignore"):
        return points.astype(np.float64)


def checked(path: Path, vertices: Vertices, faces: Faces) -> MeshData:
    """The mesh, if it has vertices, all finite, and no face that names one outside of them."""
    if len(vertices) == 0:
        raise MeshError(f"{path} has no vertices")
    check_finite(path, vertices)
    if len(faces) and (faces.min() < 0 or faces.max() >= len(vertices)):
        count = len(vertices)
        raise MeshError(f"{path} has a face that names a vertex outside its {count} vertices")
    return MeshData(vertices, faces)


def checked_extent(path: Path, points: NDArray[np.floating]) -> Extent:
    """The bounding box of `points` (n, 3), if there are any and all are finite."""
    if len(points) == 0:
        raise MeshError(f"{path} has no vertices")
    columns = np.ascontiguousarray(points.T)  # numpy is much faster along rows
    low, high = in_double(columns.min(axis=1)), in_double(columns.max(axis=1))
    check_finite(path, np.stack([low, high]))
    return low, high


def check_finite(path: Path, points: NDArray[np.floating]) -> None:
    """Raise MeshError when a coordinate is NaN or infinite."""
    if not np.isfinite(points).all():
        raise MeshError(f"{path} has a vertex coordinate that is not a finite number")
