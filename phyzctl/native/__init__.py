"""The one door to the compiled kernel: it checks arrays, allocates results, calls, returns.

Arrays must have the stated type and shape and be C-contiguous; the door converts nothing.
All it raises is `ValueError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from phyzctl.native import _kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray


class MassProperties(NamedTuple):
    """Of a solid at unit density: multiply by its density, or `inertia` by mass / volume."""

    volume: float
    """[m³], negative when the faces look inwards."""
    com: NDArray[np.float64]
    """Centre of mass [m], shape (3,), in the vertices' frame."""
    inertia: NDArray[np.float64]
    """About `com` [kg m² at 1 kg/m³], shape (3, 3), vertices' axes; its sign is the volume's."""
    area: float
    """Of the surface [m²]."""


def mesh_mass_properties(vertices: NDArray[np.float64], faces: NDArray[np.int32]) -> MassProperties:
    """Integrate over the solid that a closed triangle mesh encloses, exactly.

    `vertices` [m] is (n, 3) float64; `faces` is (m, 3) int32, corners counterclockwise as seen
    from outside. The result for a mesh with holes depends on where it is closed in thought.
    An open or flat mesh that encloses nothing (volume below 1e-12 area^1.5) has zero inertia,
    and the centroid of its surface as `com`.

    Raises:
        ValueError: wrong type, shape or layout; a vertex that is not finite; a face that names
            a vertex that isn't there; a result beyond the range of float64.
    """
    _check_rows("vertices", vertices, np.dtype(np.float64))
    _check_rows("faces", faces, np.dtype(np.int32))
    com = np.empty(3)
    inertia = np.empty((3, 3))
    volume, area = _kernel.mesh_mass_properties(vertices, faces, com, inertia)
    return MassProperties(volume, com, inertia, area)


def _check_rows(name: str, array: object, dtype: np.dtype[Any]) -> None:
    """Refuse what is not a C-contiguous (n, 3) array of `dtype`."""
    if not isinstance(array, np.ndarray) or array.dtype != dtype:
        kind = getattr(array, "dtype", type(array).__name__)
        raise ValueError(f"{name} must have dtype {dtype}, not {kind}")
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"{name} must have shape (n, 3), not {array.shape}")
    if not array.flags.c_contiguous:
        raise ValueError(f"{name} must be C-contiguous; see numpy.ascontiguousarray")
