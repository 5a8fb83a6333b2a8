"""The geoms of a Model as the kernel's convex shapes; meshes become their hulls."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from phyzctl import native
from phyzctl.exclude.facts import HullNote
from phyzctl.exclude.pairs import body_name
from phyzctl.geometry.shapes import MeshShape, Vec3
from phyzctl.model.geom import GeomType
from phyzctl.model.model import Model
from phyzctl.records import dataclass
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
    types, sizes = model.arrays.geom_type.copy(), model.arrays.geom_size.copy()
    wrong = np.flatnonzero(np.logical_not(np.isfinite(sizes) & (sizes >= 0.0)).any(axis=1))
    types[wrong], sizes[wrong] = GeomType.UNKNOWN, 0.0
    hulls = [hull.arrays for hull in model.hulls.hulls]
    shapes = native.Shapes(types, sizes, hulls=hulls, hull=model.hulls.index)
    unusable = dict.fromkeys(wrong.tolist(), "its size is negative or not a number")
    radii = np.array([_radius(geom.type, geom.size) for geom in model.geoms])
    for geom, vertices in _hulled(model):
        radii[geom] = 0.5 * math.hypot(*np.ptp(vertices, axis=0))
    return Outlines(shapes, radii, tuple(_notes(model)), unusable | model.hulls.missing)


def _hulled(model: Model) -> Iterator[tuple[int, Array]]:
    """The geoms that have hulls, and the vertices of these."""
    for geom, hull in enumerate(model.hulls.index.tolist()):
        if hull >= 0:
            yield geom, model.hulls.hulls[hull].vertices


def _notes(model: Model) -> Iterator[HullNote]:
    """One of each mesh that a body collides with as a hull."""
    told = set()
    for geom, hull in zip(model.geoms, model.hulls.index.tolist(), strict=True):
        if hull >= 0 and isinstance(geom.shape, MeshShape) and (geom.body, hull) not in told:
            told.add((geom.body, hull))
            body = body_name(model, geom.body)
            yield HullNote(body, geom.shape.mesh, model.hulls.ratios[hull])


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
