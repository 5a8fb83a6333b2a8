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
    geoms: NDArray[np.float64] | None,
) -> None:
    """Fill `bodies` (n, nbody, 7) and, if given, `geoms` (n, ngeom, 7) from `q` (n, nq)."""

def matrices(poses: NDArray[np.float64], result: NDArray[np.float64]) -> None:
    """Fill `result` (n, 4, 4) from `poses` (n, 7)."""

class Shapes:
    """An immutable copy of convex shapes, indices checked."""

    def __init__(
        self,
        types: NDArray[np.int32],
        sizes: NDArray[np.float64],
        padding: NDArray[np.float64],
        hull: NDArray[np.int32],
        vertices: NDArray[np.float64],
        hull_start: NDArray[np.int32],
        neighbour_start: NDArray[np.int32],
        neighbours: NDArray[np.int32],
    ) -> None: ...

def distances(
    shapes: Shapes,
    poses: NDArray[np.float64],
    pairs: NDArray[np.int32],
    distance: NDArray[np.float64],
    normal: NDArray[np.float64],
    a: NDArray[np.float64],
    b: NDArray[np.float64],
) -> int:
    """Fill the results of n placements and m pairs; return how often iterations ran out."""

def overlaps(
    shapes: Shapes,
    poses: NDArray[np.float64],
    pairs: NDArray[np.int32],
    margin: float,
    result: NDArray[np.bool_],
) -> None:
    """Fill `result` (n, m)."""

def sweep(
    system: System,
    shapes: Shapes,
    q: NDArray[np.float64],
    pairs: NDArray[np.int32],
    groups: NDArray[np.int32] | None,
    threads: int,
    hits: NDArray[np.int64],
    first_hit: NDArray[np.int64],
    deepest: NDArray[np.float64] | None,
    deepest_at: NDArray[np.int64],
    clearance: NDArray[np.float64] | None,
    clearance_at: NDArray[np.int64],
) -> None:
    """Fill one number a pair; None is not asked for."""

def quickhull(points: NDArray[np.float64]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Corners (n,) and faces (m, 3) of the hull of at least one finite point."""

def halton(seed: NDArray[np.uint32], first: int, points: NDArray[np.float64]) -> None:
    """Fill points (n, dimensions) of the scrambled sequence, from number `first` on."""

class ContactWorld:
    """See phyzctl.native.ContactWorld."""

    def __init__(
        self,
        system: System,
        shapes: Shapes,
        geoms: NDArray[np.int32],
        law: NDArray[np.int32],
        dimension: NDArray[np.int32],
        numbers: NDArray[np.float64],
        manifolds: bool,
    ) -> None: ...

def read_obj(
    data: bytes, depth: int, first_object: bool
) -> tuple[int, bytes, int, NDArray[np.float64], NDArray[np.int32]]: ...
def contacts(
    world: ContactWorld, q: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64], int]:
    """Starts, pairs, 13 numbers a contact (distance, position, frame), capped searches."""

def first_hits(
    system: System,
    shapes: Shapes,
    q: NDArray[np.float64],
    pairs: NDArray[np.int32],
    margin: float,
    pair: NDArray[np.int32],
) -> None:
    """Fill `pair` (n,) with the first pair within the margin, -1 for none."""

def nearest_pairs(
    system: System,
    shapes: Shapes,
    q: NDArray[np.float64],
    pairs: NDArray[np.int32],
    distance: NDArray[np.float64],
    pair: NDArray[np.int32],
) -> None:
    """Fill `distance` (n,) and `pair` (n,); infinite and -1 without pairs."""

def first_contacts(
    system: System,
    shapes: Shapes,
    q: NDArray[np.float64],
    pairs: NDArray[np.int32],
    margin: float,
    time: NDArray[np.float64],
) -> int:
    """Fill `time` (m,), -1 for never; return how often steps ran out."""

class Search:
    """Branch and bound over the joints between two bodies. One thread at a time."""

    def __init__(
        self,
        system: System,
        shapes: Shapes,
        bodies: NDArray[np.int32],
        pairs: NDArray[np.int32],
        q: NDArray[np.float64],
        lower: NDArray[np.float64],
        upper: NDArray[np.float64],
        variable: NDArray[np.int32],
        polynomial: NDArray[np.float64],
        always: bool,
    ) -> None: ...
    def advance(self, work: float) -> int:
        """Go on; 0 open, 1 proved, 2 refuted, 3 grazes."""

    def descend(self, x: NDArray[np.float64]) -> float:
        """Move `x` (nx,) to a small distance, which is returned."""

    def distance_at(self, x: NDArray[np.float64]) -> float:
        """The signed distance at `x` (nx,)."""

    def state(self, witness: NDArray[np.float64]) -> tuple[float, int, float, float]:
        """Fill `witness` (nx,); return share proved, cells, work spent, distance there."""

class Dynamics:
    """An immutable copy of masses, springs and actuators of a System, indices checked."""

    def __init__(
        self,
        system: System,
        gravity: NDArray[np.float64],
        medium: NDArray[np.float64],
        v_offset: NDArray[np.int32],
        bodies: NDArray[np.float64],
        joints: NDArray[np.float64],
        dofs: NDArray[np.float64],
        spring_q: NDArray[np.float64],
        tendons: NDArray[np.float64],
        tendon_start: NDArray[np.int32],
        term_joint: NDArray[np.int32],
        term_coefficient: NDArray[np.float64],
        step_start: NDArray[np.int32],
        step_body: NDArray[np.int32],
        step_frame: NDArray[np.float64],
        actuators: NDArray[np.float64],
        actuator_target: NDArray[np.int32],
        actuator_activation: NDArray[np.int32],
        follower_joint: NDArray[np.int32],
        follower_line: NDArray[np.float64],
        shape_body: NDArray[np.int32],
        shapes: NDArray[np.float64],
        activations: int,
        actuated: bool,
        eulerdamp: bool,
    ) -> None: ...

def mass_matrices(
    dynamics: Dynamics, q: NDArray[np.float64], result: NDArray[np.float64], /
) -> None:
    """Fill `result` (n, nv, nv) from `q` (n, nq)."""

def transmissions(
    dynamics: Dynamics,
    q: NDArray[np.float64],
    lengths: NDArray[np.float64],
    moments: NDArray[np.float64],
    /,
) -> None:
    """Fill `lengths` (n, nu) and `moments` (n, nu, nv) from `q` (n, nq)."""

def biases(
    dynamics: Dynamics,
    q: NDArray[np.float64],
    v: NDArray[np.float64],
    result: NDArray[np.float64],
    /,
) -> None:
    """Fill `result` (n, nv)."""

def bias_derivatives(
    dynamics: Dynamics,
    q: NDArray[np.float64],
    v: NDArray[np.float64],
    result: NDArray[np.float64],
    /,
) -> None:
    """Fill `result` (n, nv, nv)."""

def jacobians(
    dynamics: Dynamics,
    q: NDArray[np.float64],
    body: int,
    x: float,
    y: float,
    z: float,
    result: NDArray[np.float64],
    /,
) -> None:
    """Fill `result` (n, 6, nv)."""

def accelerations(
    dynamics: Dynamics,
    q: NDArray[np.float64],
    v: NDArray[np.float64],
    ctrl: NDArray[np.float64],
    applied: NDArray[np.float64],
    act: NDArray[np.float64],
    h: float,
    bias: NDArray[np.float64],
    passive: NDArray[np.float64],
    motors: NDArray[np.float64],
    acceleration: NDArray[np.float64],
    /,
) -> None:
    """Fill the last four (n, nv)."""

def motor_forces(
    dynamics: Dynamics,
    q: NDArray[np.float64],
    v: NDArray[np.float64],
    ctrl: NDArray[np.float64],
    act: NDArray[np.float64],
    h: float,
    motors: NDArray[np.float64],
    /,
) -> None:
    """Fill `motors` (n, nv)."""

def muscle_forces(
    gain: NDArray[np.float64], bias: NDArray[np.float64], length: float, speed: float, /
) -> tuple[float, float]:
    """The active force of the first curve and the passive one of the second."""

def rollout(
    dynamics: Dynamics,
    steps: int,
    every: int,
    h: float,
    integrator: int,
    ctrl: NDArray[np.float64],
    applied: NDArray[np.float64],
    q: NDArray[np.float64],
    v: NDArray[np.float64],
    qs: NDArray[np.float64],
    vs: NDArray[np.float64],
    made: NDArray[np.int64],
    /,
) -> None:
    """Move `q` (n, nq) and `v` (n, nv) on; fill `qs`, `vs` (n, blocks, …) and `made` (n,)."""

class Constraints:
    """An immutable copy of limits, dry friction and equalities, indices checked."""

    def __init__(
        self,
        dynamics: Dynamics,
        joint_limits: NDArray[np.float64],
        joint_friction: NDArray[np.float64],
        dof_friction: NDArray[np.float64],
        tendon_limits: NDArray[np.float64],
        tendon_friction: NDArray[np.float64],
        equality_target: NDArray[np.int32],
        equalities: NDArray[np.float64],
        q_reference: NDArray[np.float64],
        cone: int,
        impratio: float,
        refsafe: bool,
        diagexact: bool,
        noslip: tuple[int, float],
    ) -> None: ...

class ConstraintRows:
    """The rows of one state and its contacts."""

    def __init__(
        self,
        constraints: Constraints,
        q: NDArray[np.float64],
        v: NDArray[np.float64],
        h: float,
        active: NDArray[np.uint8],
        target: NDArray[np.int32],
        laws: NDArray[np.float64],
        places: NDArray[np.float64],
        /,
    ) -> None: ...
    def __len__(self) -> int: ...
    def write(
        self,
        jacobian: NDArray[np.float64],
        residual: NDArray[np.float64],
        aref: NDArray[np.float64],
        softness: NDArray[np.float64],
        origin: NDArray[np.int32],
        source: NDArray[np.int32],
        /,
    ) -> None:
        """Fill all of them, one row each."""

def accelerate_held(
    constraints: Constraints,
    q: NDArray[np.float64],
    v: NDArray[np.float64],
    ctrl: NDArray[np.float64],
    applied: NDArray[np.float64],
    warmstart: NDArray[np.float64],
    h: float,
    iterations: int,
    tolerance: float,
    active: NDArray[np.uint8],
    target: NDArray[np.int32],
    laws: NDArray[np.float64],
    places: NDArray[np.float64],
    acceleration: NDArray[np.float64],
    force: NDArray[np.float64],
    report: NDArray[np.float64],
    /,
) -> None:
    """Fill the last three: (nv,), (nv,), and iterations, gap, capped (3,)."""

class Simulation:
    """Immutable, but for the work spaces that it keeps."""

    def __init__(
        self,
        constraints: Constraints,
        world: ContactWorld | None,
        h: float,
        integrator: int,
        iterations: int,
        tolerance: float,
        warmstart: bool,
    ) -> None: ...

def simulate(
    simulation: Simulation,
    steps: int,
    every: int,
    threads: int,
    ctrl: NDArray[np.float64],
    applied: NDArray[np.float64],
    wrenches: NDArray[np.float64],
    active: NDArray[np.uint8],
    places: NDArray[np.int32],
    law: NDArray[np.float64],
    stiffness: float,
    damping: float,
    q: NDArray[np.float64],
    v: NDArray[np.float64],
    act: NDArray[np.float64],
    warm: NDArray[np.float64],
    qs: NDArray[np.float64],
    vs: NDArray[np.float64],
    acts: NDArray[np.float64],
    warms: NDArray[np.float64],
    ctrls: NDArray[np.float64],
    solver: NDArray[np.float64],
    made: NDArray[np.int64],
    capped: NDArray[np.int64],
    status: NDArray[np.int32],
    element: NDArray[np.int32],
    /,
) -> None:
    """Move `q`, `v`, `act` and `warm` (n, …) on; fill the rest.

    `places` (3, k) are positions, velocities and controls of a feedback, `law` (2 + k, k) its rest,
    offsets and gains.
    """

def encode_rows(
    row: NDArray[np.uint8],
    numbers: NDArray[np.int64],
    stamps: NDArray[np.int64],
    times: NDArray[np.int64],
    counters: NDArray[np.int64],
    first: int,
    taken: NDArray[np.int64],
    samples: NDArray[np.float64],
    result: NDArray[np.uint8],
    /,
) -> None:
    """Fill `result` (n, size) with `row` (size,) and, in its holes, `samples` (n, width)."""

def line_room(
    texts: NDArray[np.uint8], ends: NDArray[np.int64], words: NDArray[np.uint8], /
) -> int:
    """The most bytes that a line takes."""

def format_lines(
    texts: NDArray[np.uint8],
    ends: NDArray[np.int64],
    words: NDArray[np.uint8],
    samples: NDArray[np.float64],
    result: NDArray[np.uint8],
    /,
) -> int:
    """Fill `result` from its start with lines; return how many bytes they take."""
