"""The door to OBJ files: vertices, triangles, and how many objects have faces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from phyzctl.native import _kernel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ObjDepth = Literal["objects", "extent", "faces"]
_DEPTHS: tuple[ObjDepth, ...] = ("objects", "extent", "faces")
_FAULTS = (
    "",
    "has a vertex that is no number: {word}",
    "has a vertex of fewer than three numbers",
    "has a face whose corner is no vertex number: {word}",
    "has a face of fewer than three corners",
    "has a face that names vertex 0, but vertices count from 1",
    "has a face that names a vertex outside its {count} vertices",
)
_SHOWN = 40


class ObjMesh(NamedTuple):
    """What an OBJ file holds."""

    vertices: NDArray[np.float64]
    """(n, 3)."""
    triangles: NDArray[np.int32]
    """(m, 3)."""
    objects: int
    """How many objects or groups have faces."""


def read_obj(data: bytes, depth: ObjDepth = "faces", *, first_object: bool = False) -> ObjMesh:
    """Read the content of a file, as deep as is asked.

    "objects" are counted at every depth. Of "extent" the vertices are the lowest and the highest
    corner of the box around all, and behind them the first that is not finite, if one is not.
    Quadrilaterals are split along the shorter diagonal, that of the second corner where both are
    equal; other polygons into a fan about their first corner. With `first_object` faces end
    where the second object or group begins after a face. Numbers may be infinite or NaN. Runs
    without the interpreter lock.

    Raises:
        ValueError: a vertex or face that can't be read; a face of a vertex that isn't there.
    """
    found = _kernel.read_obj(data, _DEPTHS.index(depth), first_object)
    status, word, objects, vertices, triangles = found
    if status:
        shown = repr(word[:_SHOWN].decode("utf-8", "replace"))
        raise ValueError(_FAULTS[status].format(word=shown, count=len(vertices)))
    return ObjMesh(vertices, triangles, objects)
