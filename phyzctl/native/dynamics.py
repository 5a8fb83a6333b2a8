"""The door to dynamics: mass matrix, forces, and motion that nothing constrains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from phyzctl.native import _kernel
from phyzctl.native.checks import FLOAT64, check
from phyzctl.native.dynamics_arrays import checked_counts, kernel_arrays

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from phyzctl.native import System

SMOOTH_INTEGRATORS = ("euler", "implicitfast", "rk4")
"""Semi-implicit Euler with implicit joint damping, MuJoCo's implicitfast, and Runge-Kutta 4."""


class Dynamics:
    """Masses, springs, tendons and actuators of a System: copied and checked once.

    No constraint acts here: joint limits, dry friction, equalities and contacts are left out.

    Rows, one a body: `body_mass`, `body_com` (3,) and `body_inertia` (3, 3) about it, body
    frame, `body_gravcomp`, the share of the weight that is taken off, `body_axes` (4,) the turn
    (w x y z) of its principal axes, which a medium drags it along. One a joint:
    `joint_stiffness`, `joint_force_range` (2,) of all motors together, `joint_gravcomp`, not zero
    where motors carry what `body_gravcomp` asks. One a degree of freedom: `armature`, `damping`.
    One a tendon: `tendon_stiffness`, `tendon_damping`, `tendon_rest` (2,) between which its
    spring is slack, `tendon_force_range` (2,). One an actuator, see `model.Actuator`:
    `actuator_gear` (6,), `actuator_ctrl_range`, `actuator_force_range` (2,), `actuator_gain`,
    `actuator_bias` (3,), `actuator_times` (3,): of filters the time constant first, of muscles
    those of activation and deactivation and the width of what is between, `actuator_act_range`
    (2,), of those on sites `actuator_site`, `actuator_other_site` (7,) poses on the bodies, and
    `actuator_rod` between them; `actuator_muscle_gain`, `actuator_muscle_bias` (8,): the numbers
    of a `model.MuscleCurve` that gain or bias follow, too, zero for none. Unbounded is infinite.

    Others: `gravity` (3,) in the world; `medium` (5,): density, viscosity and wind (3,);
    `v_offset` (njoint,) where each joint's v starts; `spring_q` (nq,) where the joints' springs
    rest. Tendon t sums `term_coefficient` times q over the hinges and slides `term_joint` from
    `tendon_start[t]` up to `tendon_start[t + 1]`, or is a path through the steps from
    `step_start[t]` up to `step_start[t + 1]`. `step_body` (n, 3): 0 a site, 1 a sphere, 2 a
    cylinder, 3 a pulley, its body, and that of the point by which it is gone round (-2: none);
    `step_frame` (n, 11): pose on the body, radius or divisor, that point. Rest lengths of -1
    stand for the length at `spring_q`. `actuator_target` (nu, 3): 0 a joint, 1 a joint in its
    parent's frame, 2 a tendon, 3 a site, 4 none, 5 a site against another, 6 a crank's pin that a
    rod ties to a slider, 7 what presses a body against all that it touches; which, of sites the
    bodies (-1: the world). `actuator_activation`
    (nu, 3): 0 none, 1 integrator, 2 filter, 3 filterexact, 4 one that stays,
    5 a muscle's; which of `na`; 1
    where forces follow from what it will be after the step. `follower_joint` (n, 2): a hinge or
    slide and the one that it follows (-1: it stands still), `follower_line` (n, 2): offset and
    ratio; states must be on these lines. A medium takes the bodies `shape_body` (n,), each any
    number of times, by the ellipsoids `shapes` (n, 21): pose, half axes (3), coefficients of
    blunt, slender and angular drag, Kutta's and Magnus' lift, added mass and inertia (3, 3) over
    the density; the others by the boxes of their inertia.
    """

    __slots__ = ("_handle", "na", "nctrl", "ntendon", "nu", "nv", "system")

    def __init__(
        self,
        system: System,
        *,
        na: int = 0,
        actuated: bool = True,
        eulerdamp: bool = True,
        **arrays: NDArray[Any],
    ) -> None:
        """Copy the `arrays` that the class names, in SI units, of what is in `system`.

        Without `actuated` motors do nothing; without `eulerdamp` Euler's method damps explicitly.

        Raises:
            ValueError: wrong type, shape or layout; an index that points nowhere; a free joint
                on anything but the world.
        """
        counts = checked_counts(system, arrays)
        self.system, self.nv, self.nu = system, counts["dof"], counts["actuator"]
        self.nctrl, self.ntendon, self.na = self.nu or self.nv, counts["tendon"], int(na)
        self._handle = _kernel.Dynamics(
            system._handle,
            activations=self.na,
            actuated=actuated,
            eulerdamp=eulerdamp,
            **kernel_arrays(arrays, counts),
        )


def mass_matrix(dynamics: Dynamics, q: NDArray[np.float64]) -> NDArray[np.float64]:
    """The joint-space inertia M (n, nv, nv) at `q` (n, nq), armature included.

    Raises:
        ValueError: wrong type, shape or layout.
    """
    check("q", q, FLOAT64, (None, dynamics.system.nq))
    result = np.empty((len(q), dynamics.nv, dynamics.nv))
    _kernel.mass_matrices(dynamics._handle, q, result)
    return result


def transmissions(
    dynamics: Dynamics, q: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The lengths (n, nu) that actuators pull on at `q` (n, nq), and their derivatives by v.

    The latter are (n, nu, nv). Gears are included. What has no length has zero.

    Raises:
        ValueError: wrong type, shape or layout.
    """
    check("q", q, FLOAT64, (None, dynamics.system.nq))
    lengths, moments = np.empty((len(q), dynamics.nu)), np.empty((len(q), dynamics.nu, dynamics.nv))
    _kernel.transmissions(dynamics._handle, q, lengths, moments)
    return lengths, moments


def bias(dynamics: Dynamics, q: NDArray[np.float64], v: NDArray[np.float64]) -> NDArray[np.float64]:
    """The forces (n, nv) that hold acceleration at zero: Coriolis, centrifugal, weight.

    At `q` (n, nq) and `v` (n, nv).

    Raises:
        ValueError: wrong type, shape or layout.
    """
    _check_states(dynamics, q, v)
    result = np.empty((len(q), dynamics.nv))
    _kernel.biases(dynamics._handle, q, v, result)
    return result


def bias_derivative(
    dynamics: Dynamics, q: NDArray[np.float64], v: NDArray[np.float64]
) -> NDArray[np.float64]:
    """How the bias force changes with v: (n, nv, nv), force by velocity.

    At `q` (n, nq) and `v` (n, nv).

    Raises:
        ValueError: wrong type, shape or layout.
    """
    _check_states(dynamics, q, v)
    result = np.empty((len(q), dynamics.nv, dynamics.nv))
    _kernel.bias_derivatives(dynamics._handle, q, v, result)
    return result


def jacobian(
    dynamics: Dynamics,
    q: NDArray[np.float64],
    body: int,
    point: tuple[float, float, float] = (0.0, 0.0, 0.0),
) -> NDArray[np.float64]:
    """What v does to a body (n, 6, nv): three rows of velocity at `point`, three of turning.

    `point` [m] is fixed in the body's frame, the rows are in world axes; at `q` (n, nq).

    Raises:
        ValueError: wrong type, shape or layout; no such body.
    """
    check("q", q, FLOAT64, (None, dynamics.system.nq))
    if not 0 <= body < dynamics.system.nbody:
        raise ValueError(f"body must be from 0 to {dynamics.system.nbody - 1}, not {body}")
    result = np.empty((len(q), 6, dynamics.nv))
    x, y, z = (float(coordinate) for coordinate in point)
    _kernel.jacobians(dynamics._handle, q, body, x, y, z, result)
    return result


class Forces(NamedTuple):
    """What acts, and the acceleration: M qacc = passive + motors + applied - bias. All (n, nv)."""

    bias: NDArray[np.float64]
    passive: NDArray[np.float64]
    """Springs, dampers, compensated weight."""
    motors: NDArray[np.float64]
    qacc: NDArray[np.float64]


def forward(
    dynamics: Dynamics,
    q: NDArray[np.float64],
    v: NDArray[np.float64],
    ctrl: NDArray[np.float64],
    *,
    applied: NDArray[np.float64] | None = None,
    act: NDArray[np.float64] | None = None,
    dt: float = 0.0,
) -> Forces:
    """Forces and accelerations at `q` (n, nq), `v` (n, nv) under `ctrl` (n, nctrl).

    Without actuators `ctrl` is a row of generalised forces; `applied` (n, nv) are more of them.
    `act` (n, na) are the activations, zero if not given; actuators that act early look `dt` [s]
    ahead.

    Raises:
        ValueError: wrong type, shape or layout.
    """
    _check_states(dynamics, q, v)
    check("ctrl", ctrl, FLOAT64, (len(q), dynamics.nctrl))
    applied = np.zeros((len(q), dynamics.nv)) if applied is None else applied
    check("applied", applied, FLOAT64, (len(q), dynamics.nv))
    act = np.zeros((len(q), dynamics.na)) if act is None else act
    check("act", act, FLOAT64, (len(q), dynamics.na))
    forces = Forces(*(np.empty((len(q), dynamics.nv)) for _ in Forces._fields))
    _kernel.accelerations(dynamics._handle, q, v, ctrl, applied, act, float(dt), *forces)
    return forces


def motor_forces(
    dynamics: Dynamics,
    q: NDArray[np.float64],
    v: NDArray[np.float64],
    ctrl: NDArray[np.float64],
    *,
    act: NDArray[np.float64],
    dt: float,
) -> NDArray[np.float64]:
    """What motors alone do: `Forces.motors` of `forward`, to the same bits, (n, nv).

    Raises:
        ValueError: wrong type, shape or layout.
    """
    _check_states(dynamics, q, v)
    check("ctrl", ctrl, FLOAT64, (len(q), dynamics.nctrl))
    check("act", act, FLOAT64, (len(q), dynamics.na))
    motors = np.empty((len(q), dynamics.nv))
    _kernel.motor_forces(dynamics._handle, q, v, ctrl, act, float(dt), motors)
    return motors


class Rollout(NamedTuple):
    """How n states moved on. What comes after a stop is NaN."""

    q: NDArray[np.float64]
    """(n, steps // every, nq) after each `every` steps."""
    v: NDArray[np.float64]
    """(n, steps // every, nv)."""
    made: NDArray[np.int64]
    """(n,) steps made; fewer than asked for where a number was no longer finite or beyond 1e10."""
    last_q: NDArray[np.float64]
    """(n, nq) the last good state."""
    last_v: NDArray[np.float64]
    """(n, nv)."""


def rollout(
    dynamics: Dynamics,
    q: NDArray[np.float64],
    v: NDArray[np.float64],
    ctrl: NDArray[np.float64],
    *,
    steps: int,
    dt: float,
    integrator: str = "euler",
    every: int = 1,
    applied: NDArray[np.float64] | None = None,
) -> Rollout:
    """Move n states `q` (n, nq), `v` (n, nv) on by `steps` steps of `dt` [s].

    `ctrl` is (n, steps, nctrl), or (n, 1, nctrl) for the same at every step; `applied` (n, nv)
    as in `forward`. `integrator` is one of `SMOOTH_INTEGRATORS`. Runs without the interpreter lock.

    Raises:
        ValueError: wrong type, shape or layout; an unknown integrator; no steps; a `dt` that is
            not finite.
    """
    _check_states(dynamics, q, v)
    _refuse_activations(dynamics)
    if steps < 1 or every < 1:
        raise ValueError(f"steps and every must be at least 1, not {steps} and {every}")
    if not np.isfinite(dt):
        raise ValueError(f"dt must be finite, not {dt}")
    if integrator not in SMOOTH_INTEGRATORS:
        raise ValueError(
            f"integrator must be one of {', '.join(SMOOTH_INTEGRATORS)}, not {integrator!r}"
        )
    check("ctrl", ctrl, FLOAT64, (len(q), None, dynamics.nctrl))
    if ctrl.shape[1] not in (1, steps):
        raise ValueError(f"ctrl must have 1 or {steps} rows a state, not {ctrl.shape[1]}")
    applied = np.zeros((len(q), dynamics.nv)) if applied is None else applied
    check("applied", applied, FLOAT64, (len(q), dynamics.nv))
    blocks = steps // every
    result = Rollout(
        q=np.empty((len(q), blocks, dynamics.system.nq)),
        v=np.empty((len(q), blocks, dynamics.nv)),
        made=np.empty(len(q), dtype=np.int64),
        last_q=q.copy(),
        last_v=v.copy(),
    )
    _kernel.rollout(
        dynamics._handle,
        steps,
        every,
        float(dt),
        SMOOTH_INTEGRATORS.index(integrator),
        ctrl,
        applied,
        result.last_q,
        result.last_v,
        result.q,
        result.v,
        result.made,
    )
    return result


def _check_states(dynamics: Dynamics, q: NDArray[Any], v: NDArray[Any]) -> None:
    check("q", q, FLOAT64, (None, dynamics.system.nq))
    check("v", v, FLOAT64, (len(q), dynamics.nv))


def _refuse_activations(dynamics: Dynamics) -> None:
    if dynamics.na:
        raise ValueError(f"actuators have {dynamics.na} activations: use a Simulation")
