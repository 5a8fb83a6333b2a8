"""What the compiled module offers. Arrays are C-contiguous; nothing is converted."""

import numpy as np
from numpy.typing import NDArray

def mesh_mass_properties(
    vertices: NDArray[np.float64],
    faces: NDArray[np.int32],
    com: NDArray[np.float64],
    inertia: NDArray[np.float64],
) -> tuple[float, float]:
    """Fill `com` (3,) and `inertia` (3, 3); return the volume and the area."""
