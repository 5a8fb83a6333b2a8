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

class System:
    """An immutable copy of a robot's arrays, indices checked."""

    def __init__(
        self,
        nq: int,
        body_parent: NDArray[np.int32],
        body_pos: NDArray[np.float64],
        body_quat: NDArray[np.float64],
        joint_start: NDArray[np.int32],
        joint_type: NDArray[np.int32],
        joint_axis: NDArray[np.float64],
        joint_anchor: NDArray[np.float64],
        joint_ref: NDArray[np.float64],
        q_offset: NDArray[np.int32],
        geom_body: NDArray[np.int32],
        geom_pos: NDArray[np.float64],
        geom_quat: NDArray[np.float64],
    ) -> None: ...

def kinematics(
    system: System,
    q: NDArray[np.float64],
    bodies: NDArray[np.float64],
    geoms: NDArray[np.float64],
) -> None:
    """Fill `bodies` (n, nbody, 7) and `geoms` (n, ngeom, 7) from `q` (n, nq)."""

def matrices(poses: NDArray[np.float64], result: NDArray[np.float64]) -> None:
    """Fill `result` (n, 4, 4) from `poses` (n, 7)."""
