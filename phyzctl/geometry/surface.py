"""What the faces of a mesh say about it: whether it is closed, which way it looks, its volume."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phyzctl.geometry.meshdata import MeshData
from phyzctl.records import dataclass

__all__ = ["SurfaceFacts", "surface_facts"]


@dataclass(frozen=True)
class SurfaceFacts:
    """A mesh's faces, counted; vertices of equal coordinates count as one.

    `edges` have one face at least; the `open_edges` have only one; along `turned_edges` two faces
    meet of which one is wound the wrong way. `volume` [m³] is what the faces enclose, negative
    where they look inwards, and that of a cone to the mean vertex where they enclose nothing.
    `box_volume` [m³] is that of the bounding box.
    """

    faces: int
    edges: int
    open_edges: int
    turned_edges: int
    volume: float
    box_volume: float


def surface_facts(mesh: MeshData) -> SurfaceFacts:
    """The facts about a mesh; faces that have shrunk to a line or a point don't count."""
    merged = mesh.merged()
    faces = merged.faces.astype(np.int64)
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (c != a)]
    ends = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    low, high = np.sort(ends, axis=1).T
    key = low * len(merged.vertices) + high
    order = np.argsort(key, kind="stable")
    forward = np.where(ends[order, 0] < ends[order, 1], 1, -1)
    starts = _starts(key[order])
    uses = np.diff(np.append(starts, len(key)))
    balance = np.add.reduceat(forward, starts) if len(starts) else uses
    low_corner, high_corner = mesh.extent
    return SurfaceFacts(
        faces=len(faces),
        edges=len(starts),
        open_edges=int((uses == 1).sum()),
        turned_edges=int(((uses == 2) & (balance != 0)).sum()),
        volume=_volume(merged),
        box_volume=float(np.prod(high_corner - low_corner)),
    )


def _starts(ordered: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where runs of equal values begin."""
    if len(ordered) == 0:
        return np.zeros(0, dtype=np.int64)
    return np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))


def _volume(mesh: MeshData) -> float:
    """The sum of the signed tetrahedra between the faces and the mean of all vertices."""
    corners = mesh.corners - mesh.vertices.mean(axis=0)
    normals = np.cross(corners[:, 1], corners[:, 2])
    return float(np.einsum("ij,ij->", corners[:, 0], normals)) / 6.0
