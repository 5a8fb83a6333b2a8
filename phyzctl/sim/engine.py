"""Engine: the one place where a Model meets the kernel that moves it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from phyzctl import native
from phyzctl.errors import PhyzctlError, did_you_mean
from phyzctl.model.constraints import constraint_arrays
from phyzctl.model.contacts import contact_table, make_contact_world
from phyzctl.model.dynamics import dynamics_arrays
from phyzctl.model.followers import check_followers, followers
from phyzctl.model.model import Model
from phyzctl.model.state import State
from phyzctl.model.stiffness import hardened_constraints, hardened_contacts
from phyzctl.model.transmissions import refuse_floating_parts
from phyzctl.records import dataclass
from phyzctl.sim.holding import Holding
from phyzctl.spatial import Array

INTEGRATORS = native.INTEGRATORS
# At most; files that allow fewer trade accuracy for time, which Newton's method seldom needs.
_ITERATIONS = 100
UNSOLVED = native.STATUSES.index("unsolved")
SOLVER = ("iterations", "gap", "contacts", "islands")
"""What is known of the solver at a sample: the most up to the next one; and of the step there."""
Parts = Mapping[str, Array]


@dataclass(frozen=True)
class Moved:
    """What came of some steps.

    There is a sample before every `every`th step, the first among them: `parts` are the states, by
    the names of a State's fields, `ctrl` the controls of the step and `solver` a row of `SOLVER`.
    `last` is the state after `made` steps. `made` is less than was asked for when the next state
    would hold a number that is not finite or beyond 1e10, at `dof`, or when the constraints could
    not be solved (`unsolved`). In `capped` steps the solver ran out of iterations.
    """

    parts: Parts
    ctrl: Array
    last: Parts
    solver: Array
    made: int
    capped: int = 0
    unsolved: bool = False
    dof: int = -1

    def samples(self) -> Parts:
        """What the samples hold, by channel."""
        return {**self.parts, "ctrl": self.ctrl, "solver": self.solver}


class Engine:
    """Moves states of one Model by one integrator and one time step [s].

    `parts` are the fields of a State that steps change, and that a restart needs.
    """

    parts = native.States._fields

    def __init__(
        self,
        model: Model,
        *,
        dt: float | None = None,
        integrator: str | None = None,
        stiff: bool = False,
    ) -> None:
        """`dt` and `integrator` are the model's own if not given.

        `stiff` makes constraints as hard as the time step allows (`phyzctl.model.stiffness`).
        Raises PhyzctlError for a time step that is not positive, an unknown integrator or one
        without impacts where there is restitution, or a free joint on anything but the world.
        """
        self.model = model
        self.dt = model.dt if dt is None else float(dt)
        if not 0.0 < self.dt < np.inf:
            raise PhyzctlError(f"the time step must be positive, not {self.dt:g} s")
        self.integrator, self.stiff = _integrator(model, integrator), stiff
        if not model.nv:
            raise PhyzctlError(
                f"nothing moves in {model.robot.name!r}: it has no degree of freedom"
            )
        refuse_floating_parts(model)
        self._followers = followers(model)
        self._dynamics = native.Dynamics(model.system, **dynamics_arrays(model))
        self.nctrl = self._dynamics.nctrl
        arrays, table = constraint_arrays(model), contact_table(model)
        if stiff:
            arrays = hardened_constraints(arrays, self.dt)
            table = hardened_contacts(table, self.dt)
        self._constraints = native.Constraints(self._dynamics, **arrays)
        world = make_contact_world(model, table)
        if world.rebounds and self.integrator == "rk4":
            raise PhyzctlError(
                "rk4 makes no impacts: contacts with restitution want another method"
            )
        self.pairs = table.pair_geoms
        """(npair, 2) the geoms that may touch."""
        self.holding = Holding(model, self._constraints, world, table, self.dt)
        self._simulation = native.Simulation(
            self._constraints,
            world,
            dt=self.dt,
            integrator=self.integrator,
            iterations=_ITERATIONS,
            warmstart=dict(model.robot.option.flags).get("warmstart", True),
        )

    def advance(
        self,
        state: State,
        ctrl: Array,
        *,
        steps: int,
        every: int = 1,
        feedback: native.Feedback | None = None,
        into: native.Simulated | None = None,
    ) -> Moved:
        """Move on from `state` under `ctrl` (steps, nctrl), or (1, nctrl) for every step.

        What `feedback` adds to the controls is computed at every step. The result stands in the
        arrays of `into`, from `room`, if they are given. Raises PhyzctlError where a joint is not
        on the line that it follows another one by.
        """
        check_followers(self.model, self._followers, state.q, state.v)
        rolled = self._simulation.run(
            native.States(*(getattr(state, part)[np.newaxis] for part in self.parts)),
            native.Acting(
                np.ascontiguousarray(ctrl[np.newaxis], dtype=np.float64),
                state.qfrc_applied[np.newaxis],
                state.xfrc_applied[np.newaxis] if state.xfrc_applied.any() else None,
                self.active(state)[np.newaxis],
                feedback,
            ),
            steps=steps,
            every=every,
            into=into,
        )
        made = int(rolled.made[0])
        samples = -(-made // every)
        return Moved(
            parts={name: part[0, :samples] for name, part in rolled.states._asdict().items()},
            ctrl=rolled.ctrl[0, :samples],
            last={name: part[0] for name, part in rolled.last._asdict().items()},
            solver=rolled.solver[0, :samples],
            made=made,
            capped=int(rolled.capped[0]),
            unsolved=int(rolled.status[0]) == UNSOLVED,
            dof=int(rolled.element[0]) if made < steps else -1,
        )

    def room(self, samples: int) -> native.Simulated:
        """Arrays that `advance` can fill again and again."""
        return self._simulation.room(1, samples)

    def active(self, state: State) -> NDArray[np.bool_]:
        """Which equalities hold, of those that the kernel has: none where flags disable them."""
        return state.eq_active[: self._constraints.neq]

    def forces(self, parts: Parts, ctrl: Array) -> native.Forces:
        """What acts in n states (n, …) under `ctrl` (n, nctrl), constraints apart, all (n, nv)."""
        q, v, act = (np.ascontiguousarray(parts[name]) for name in ("q", "v", "act"))
        ctrl = np.ascontiguousarray(ctrl)
        return native.forward(self._dynamics, q, v, ctrl, act=act, dt=self.dt)

    def mass_matrix(self, q: Array) -> Array:
        """The joint-space inertia (nv, nv) at `q` (nq,), armature included."""
        found: Array = native.mass_matrix(self._dynamics, np.ascontiguousarray(q)[np.newaxis])[0]
        return found

    def jacobian(self, q: Array, body: int, point: tuple[float, float, float]) -> Array:
        """What v does to a point of a body (6, nv): its velocity and the turning, world axes."""
        here = np.ascontiguousarray(q)[np.newaxis]
        found: Array = native.jacobian(self._dynamics, here, body, point)[0]
        return found

    def motor_forces(self, parts: Parts, ctrl: Array) -> Array:
        """What motors do in n states (n, …) under `ctrl` (n, nctrl): (n, nv)."""
        q, v, act, u = (
            np.ascontiguousarray(each) for each in (parts["q"], parts["v"], parts["act"], ctrl)
        )
        found: Array = native.motor_forces(self._dynamics, q, v, u, act=act, dt=self.dt)
        return found

    def places(self, q: Array) -> Array:
        """Where the bodies are at `q` (n, nq): (n, nbody, 7), quaternions w x y z."""
        found: Array = native.places(self.model.system, np.ascontiguousarray(q))
        return found


def _integrator(model: Model, asked: str | None) -> str:
    """What is asked for, else what the file says, else MuJoCo's default for MJCF, best for URDF."""
    stated = asked or (model.robot.option.integrator or "").lower()
    if stated in INTEGRATORS:
        return stated
    if asked is not None:
        hint = did_you_mean(asked, INTEGRATORS) or f"; there are {', '.join(INTEGRATORS)}"
        raise PhyzctlError(f"there is no integrator {asked!r}{hint}")
    if model.robot.dialect == "mjcf":
        return "implicitfast" if stated else "euler"
    return "best"
