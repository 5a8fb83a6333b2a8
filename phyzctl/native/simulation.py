"""The door to simulation: steps in time with forces, activations, constraints and contacts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from phyzctl.native import _kernel
from phyzctl.native.checks import FLOAT64, INT32, check
from phyzctl.native.dynamics import SMOOTH_INTEGRATORS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from phyzctl.native.constraints import Constraints
    from phyzctl.native.contacts import ContactWorld

INTEGRATORS = (*SMOOTH_INTEGRATORS, "best")
"""Those of `SMOOTH_INTEGRATORS`, and a midpoint rule that takes what is stiff at the step's end."""

STATUSES = ("ok", "not finite", "unsolved")
"""How a state's run ended: as planned; at a number that is none or beyond 1e10; at constraints that
could not be solved ten times running."""


_NO_PLACES, _NO_NUMBERS = np.empty((3, 0), np.int32), np.empty((2, 0))


class States(NamedTuple):
    """What steps change, of n states. Enough for a bitwise restart."""

    q: NDArray[np.float64]
    """(n, …, nq)."""
    v: NDArray[np.float64]
    """(n, …, nv)."""
    act: NDArray[np.float64]
    """(n, …, na)."""
    qacc_warmstart: NDArray[np.float64]
    """(n, …, nv)."""


class Feedback(NamedTuple):
    """Holds k degrees of freedom at rest: what is added to controls at every step.

    With w = -stiffness (q[positions] - rest) - damping v[velocities], ctrl[controls] grows by
    offsets + gains w.
    """

    positions: NDArray[np.int32]
    """(k,) where they stand in q."""
    velocities: NDArray[np.int32]
    """(k,) where they stand in v."""
    controls: NDArray[np.int32]
    """(k,)."""
    rest: NDArray[np.float64]
    """(k,)."""
    offsets: NDArray[np.float64]
    """(k,)."""
    gains: NDArray[np.float64]
    """(k, k), a row for each control."""
    stiffness: float
    damping: float

    def added(
        self, ctrl: NDArray[np.float64], q: NDArray[np.float64], v: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """The controls (nctrl,) in one state with what is added, to the bits of a run."""
        found = ctrl.copy()
        found[self.controls] += self.offsets
        away = q[self.positions] - self.rest
        wanted = -self.stiffness * away - self.damping * v[self.velocities]
        for column, each in zip(self.gains.T, wanted, strict=True):
            found[self.controls] += column * each
        return found


class Acting(NamedTuple):
    """What acts on n states from outside; what is None is zero, and all equalities hold."""

    ctrl: NDArray[np.float64]
    """(n, steps, nctrl), or (n, 1, nctrl) for the same at every step."""
    qfrc_applied: NDArray[np.float64] | None = None
    """(n, nv)."""
    xfrc_applied: NDArray[np.float64] | None = None
    """(n, nbody, 6): force at the centre of mass and torque, world axes."""
    eq_active: NDArray[np.bool_] | None = None
    """(n, neq)."""
    feedback: Feedback | None = None


class Simulated(NamedTuple):
    """How n states moved on, in samples before every `every`th step, the first among them.

    Samples that no step was made from are NaN.
    """

    states: States
    """(n, samples, …)."""
    ctrl: NDArray[np.float64]
    """(n, samples, nctrl) of the step that starts there."""
    last: States
    """(n, …) the last good state."""
    solver: NDArray[np.float64]
    """(n, samples, 4): most iterations and largest gap up to the next sample; how many contacts and
    islands the step has that starts there: trees that constraints join are solved together."""
    made: NDArray[np.int64]
    """(n,) steps made."""
    capped: NDArray[np.int64]
    """(n,) steps in which the solver ran out of iterations."""
    status: NDArray[np.int32]
    """(n,) of `STATUSES`."""
    element: NDArray[np.int32]
    """(n,) the degree of freedom where it stopped."""


class Simulation:
    """Moves states under Constraints by one method and one time step.

    May be used by several threads at once. Work spaces are kept between calls: no step allocates.
    """

    __slots__ = ("_handle", "constraints", "contacts", "dt", "integrator")

    def __init__(
        self,
        constraints: Constraints,
        contacts: ContactWorld | None = None,
        *,
        dt: float,
        integrator: str = "euler",
        iterations: int = 100,
        tolerance: float = 1e-10,
        warmstart: bool = True,
    ) -> None:
        """Steps of `dt` [s] by one of `INTEGRATORS`; bodies touch where there are `contacts`.

        The solver makes at most so many `iterations`, and stops where the cost can't fall by more
        than `tolerance` times the trace of the mass matrix.

        Raises:
            ValueError: a `dt` that is not finite, an unknown integrator, no iterations, contacts
                of another System.
        """
        if not np.isfinite(dt):
            raise ValueError(f"dt must be finite, not {dt}")
        if integrator not in INTEGRATORS:
            known = ", ".join(INTEGRATORS)
            raise ValueError(f"integrator must be one of {known}, not {integrator!r}")
        if iterations < 1:
            raise ValueError(f"iterations must be at least 1, not {iterations}")
        if contacts is not None and contacts.system is not constraints.dynamics.system:
            raise ValueError("contacts must be those of the constraints' System")
        self.constraints, self.contacts = constraints, contacts
        self.dt, self.integrator = float(dt), integrator
        self._handle = _kernel.Simulation(
            constraints._handle,
            None if contacts is None else contacts._handle,
            h=self.dt,
            integrator=INTEGRATORS.index(integrator),
            iterations=iterations,
            tolerance=float(tolerance),
            warmstart=warmstart,
        )

    def room(self, count: int, samples: int) -> Simulated:
        """Arrays for so many samples of `count` states, not filled."""
        dynamics = self.constraints.dynamics
        widths = (dynamics.system.nq, dynamics.nv, dynamics.na, dynamics.nv)
        return Simulated(
            states=States(*(np.empty((count, samples, width)) for width in widths)),
            ctrl=np.empty((count, samples, dynamics.nctrl)),
            last=States(*(np.empty((count, width)) for width in widths)),
            solver=np.empty((count, samples, 4)),
            made=np.empty(count, np.int64),
            capped=np.empty(count, np.int64),
            status=np.empty(count, np.int32),
            element=np.empty(count, np.int32),
        )

    def run(
        self,
        states: States,
        acting: Acting,
        *,
        steps: int,
        every: int = 1,
        threads: int = 1,
        into: Simulated | None = None,
    ) -> Simulated:
        """Move `states` on by `steps` steps; they are left as they are.

        The result is the same for any number of `threads`. It stands in the arrays of `into`, from
        `room` for as many states and samples, if they are given. Runs without the interpreter lock.

        Raises:
            ValueError: wrong type, shape or layout; no steps.
        """
        if min(steps, every, threads) < 1:
            asked = f"{steps}, {every} and {threads}"
            raise ValueError(f"steps, every and threads must be at least 1, not {asked}")
        self._check(states)
        count, samples = len(states.q), -(-steps // every)
        given = self._complete(acting, count, steps)
        law = self._law(acting.feedback)
        result = self.room(count, samples) if into is None else into
        if result.ctrl.shape[:2] != (count, samples):
            raise ValueError(f"into must have room for {samples} samples of {count} states")
        for part, start in zip(result.last, states, strict=True):
            part[:] = start
        _kernel.simulate(
            self._handle,
            steps,
            every,
            threads,
            *given,
            *law,
            *result.last,
            *result.states,
            result.ctrl,
            result.solver,
            result.made,
            result.capped,
            result.status,
            result.element,
        )
        return result

    def _check(self, states: States) -> None:
        dynamics = self.constraints.dynamics
        widths = (dynamics.system.nq, dynamics.nv, dynamics.na, dynamics.nv)
        check("q", states.q, FLOAT64, (None, widths[0]))
        for name, part, width in zip(States._fields, states, widths, strict=True):
            check(name, part, FLOAT64, (len(states.q), width))

    def _complete(
        self, acting: Acting, count: int, steps: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.uint8]]:
        """All arrays, checked; no forces on bodies are an array without bodies."""
        dynamics, neq = self.constraints.dynamics, self.constraints.neq
        check("ctrl", acting.ctrl, FLOAT64, (count, None, dynamics.nctrl))
        if acting.ctrl.shape[1] not in (1, steps):
            raise ValueError(
                f"ctrl must have 1 or {steps} rows a state, not {acting.ctrl.shape[1]}"
            )
        applied, wrenches, active = acting.qfrc_applied, acting.xfrc_applied, acting.eq_active
        applied = np.zeros((count, dynamics.nv)) if applied is None else applied
        check("qfrc_applied", applied, FLOAT64, (count, dynamics.nv))
        if wrenches is not None:
            check("xfrc_applied", wrenches, FLOAT64, (count, dynamics.system.nbody, 6))
        wrenches = np.zeros((count, 0, 6)) if wrenches is None else wrenches
        active = np.ones((count, neq), np.bool_) if active is None else active
        check("eq_active", active, np.dtype(np.bool_), (count, neq))
        return acting.ctrl, applied, wrenches, active.view(np.uint8)

    def _law(
        self, feedback: Feedback | None
    ) -> tuple[NDArray[np.int32], NDArray[np.float64], float, float]:
        """A feedback, checked; none is one of no degree of freedom."""
        if feedback is None:
            return _NO_PLACES, _NO_NUMBERS, 0.0, 0.0
        dynamics, count = self.constraints.dynamics, len(feedback.positions)
        limits = (dynamics.system.nq, dynamics.nv, dynamics.nctrl)
        for name, limit in zip(Feedback._fields, limits, strict=False):
            places = getattr(feedback, name)
            check(name, places, INT32, (count,))
            if count and not 0 <= places.min() <= places.max() < limit:
                raise ValueError(f"{name} must be from 0 to {limit - 1}")
        check("rest", feedback.rest, FLOAT64, (count,))
        check("offsets", feedback.offsets, FLOAT64, (count,))
        check("gains", feedback.gains, FLOAT64, (count, count))
        places = np.stack([feedback.positions, feedback.velocities, feedback.controls])
        numbers = np.vstack([feedback.rest, feedback.offsets, feedback.gains.T])
        return places, numbers, float(feedback.stiffness), float(feedback.damping)
