"""The one door to the compiled kernel: it checks arrays, allocates results, calls, returns.

Arrays must have the stated type and shape and be C-contiguous; the door converts nothing.
All it raises is `ValueError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from phyzctl.native import _kernel
from phyzctl.native.certify import Search, SearchState, SearchStatus
from phyzctl.native.checks import FLOAT64, INT32, check
from phyzctl.native.collision import (
    Distances,
    HullArrays,
    HullMesh,
    Shapes,
    Sweep,
    distances,
    overlaps,
    quickhull,
    sweep,
)
from phyzctl.native.constraints import (
    CONES,
    ORIGINS,
    Constraints,
    ContactRows,
    Held,
    Rows,
    constraint_rows,
    forward_held,
)
from phyzctl.native.contacts import Contacts, ContactWorld, contacts
from phyzctl.native.dynamics import (
    SMOOTH_INTEGRATORS,
    Dynamics,
    Forces,
    Rollout,
    bias,
    bias_derivative,
    forward,
    jacobian,
    mass_matrix,
    motor_forces,
    rollout,
    transmissions,
)
from phyzctl.native.muscles import muscle_forces
from phyzctl.native.obj import ObjDepth, ObjMesh, read_obj
from phyzctl.native.scene import Nearest, first_contacts, first_hits, nearest_pairs
from phyzctl.native.sequence import halton
from phyzctl.native.simulation import (
    INTEGRATORS,
    STATUSES,
    Acting,
    Feedback,
    Simulated,
    Simulation,
    States,
)
from phyzctl.native.traces import Holes, LineFormatter, RowEncoder

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "CONES",
    "INTEGRATORS",
    "ORIGINS",
    "SMOOTH_INTEGRATORS",
    "STATUSES",
    "Acting",
    "Constraints",
    "ContactRows",
    "ContactWorld",
    "Contacts",
    "Distances",
    "Dynamics",
    "Feedback",
    "Forces",
    "Held",
    "Holes",
    "HullArrays",
    "HullMesh",
    "LineFormatter",
    "MassProperties",
    "Nearest",
    "ObjDepth",
    "ObjMesh",
    "Poses",
    "Rollout",
    "RowEncoder",
    "Rows",
    "Search",
    "SearchState",
    "SearchStatus",
    "Shapes",
    "Simulated",
    "Simulation",
    "States",
    "Sweep",
    "System",
    "bias",
    "bias_derivative",
    "constraint_rows",
    "contacts",
    "distances",
    "first_contacts",
    "first_hits",
    "forward",
    "forward_held",
    "halton",
    "jacobian",
    "kinematics",
    "mass_matrix",
    "mesh_mass_properties",
    "motor_forces",
    "muscle_forces",
    "nearest_pairs",
    "overlaps",
    "places",
    "pose_matrices",
    "quickhull",
    "read_obj",
    "rollout",
    "sweep",
    "transmissions",
]


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
    check("vertices", vertices, FLOAT64, (None, 3))
    check("faces", faces, INT32, (None, 3))
    com = np.empty(3)
    inertia = np.empty((3, 3))
    volume, area = _kernel.mesh_mass_properties(vertices, faces, com, inertia)
    return MassProperties(volume, com, inertia, area)


class System:
    """What the loops need of a robot: copied and checked once, never changed.

    Rows are bodies (parents first), joints (grouped by body) and geoms; -1 is the world. Poses
    are in the parent (bodies) or the body (geoms) at the reference position, quaternions
    w x y z. Integers are int32, all else float64.
    """

    __slots__ = ("_handle", "nbody", "ngeom", "njoint", "nq")

    def __init__(
        self,
        *,
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
    ) -> None:
        """Copy the arrays of a robot with `nq` position coordinates.

        `body_parent` (nbody,), `body_pos` (nbody, 3) [m], `body_quat` (nbody, 4); body i has the
        joints `joint_start[i]` up to `joint_start[i + 1]` (nbody + 1,). `joint_type` (njoint,)
        0 free, 1 ball, 2 slide, 3 hinge, 4 fixed; `joint_axis`, `joint_anchor` (njoint, 3) in
        the body; `joint_ref` (njoint,) where a hinge or slide shows the reference position;
        `q_offset` (njoint,). `geom_body` (ngeom,), `geom_pos` (ngeom, 3), `geom_quat` (ngeom, 4).

        Raises:
            ValueError: wrong type, shape or layout; an index that points nowhere.
        """
        self.nq = int(nq)
        self.nbody, self.ngeom = len(body_parent), len(geom_body)
        self.njoint = njoint = len(joint_type)
        integers = {
            "body_parent": (body_parent, (self.nbody,)),
            "joint_start": (joint_start, (self.nbody + 1,)),
            "joint_type": (joint_type, (njoint,)),
            "q_offset": (q_offset, (njoint,)),
            "geom_body": (geom_body, (self.ngeom,)),
        }
        reals = {
            "body_pos": (body_pos, (self.nbody, 3)),
            "body_quat": (body_quat, (self.nbody, 4)),
            "joint_axis": (joint_axis, (njoint, 3)),
            "joint_anchor": (joint_anchor, (njoint, 3)),
            "joint_ref": (joint_ref, (njoint,)),
            "geom_pos": (geom_pos, (self.ngeom, 3)),
            "geom_quat": (geom_quat, (self.ngeom, 4)),
        }
        for rows, dtype in ((integers, INT32), (reals, FLOAT64)):
            for name, (array, shape) in rows.items():
                check(name, array, dtype, shape)
        arrays: dict[str, Any] = {name: array for name, (array, _) in {**integers, **reals}.items()}
        self._handle = _kernel.System(self.nq, **arrays)


class Poses(NamedTuple):
    """Poses in the world: x y z [m] and the unit quaternion w x y z."""

    bodies: NDArray[np.float64]
    """(n, nbody, 7)."""
    geoms: NDArray[np.float64]
    """(n, ngeom, 7)."""


def kinematics(system: System, q: NDArray[np.float64]) -> Poses:
    """Where bodies and geoms are in each of n configurations `q` (n, nq), float64.

    Quaternions in `q` need not have unit length; one of length zero is no turn. The same `q`
    gives the same bits on every machine. Runs without the interpreter lock.

    Raises:
        ValueError: wrong type, shape or layout.
    """
    check("q", q, FLOAT64, (None, system.nq))
    bodies = np.empty((len(q), system.nbody, 7))
    geoms = np.empty((len(q), system.ngeom, 7))
    _kernel.kinematics(system._handle, q, bodies, geoms)
    return Poses(bodies, geoms)


def places(system: System, q: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where bodies alone are at `q` (n, nq): `Poses.bodies`, to the same bits.

    Raises:
        ValueError: wrong type, shape or layout.
    """
    check("q", q, FLOAT64, (None, system.nq))
    bodies = np.empty((len(q), system.nbody, 7))
    _kernel.kinematics(system._handle, q, bodies, None)
    return bodies


def pose_matrices(poses: NDArray[np.float64]) -> NDArray[np.float64]:
    """Poses (n, 7) as homogeneous matrices (n, 4, 4).

    Raises:
        ValueError: wrong type, shape or layout.
    """
    check("poses", poses, FLOAT64, (None, 7))
    result = np.empty((len(poses), 4, 4))
    _kernel.matrices(poses, result)
    return result
