"""Engine: the one place where a Model meets the kernel that moves it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from phyzctl import native
from phyzctl.errors import PhyzctlError, did_you_mean
from phyzctl.model.dynamics import dynamics_arrays
from phyzctl.model.model import Model
from phyzctl.model.state import State
from phyzctl.sim.unsupported import idle_actuators
from phyzctl.spatial import Array

INTEGRATORS = native.INTEGRATORS
Parts = Mapping[str, Array]


@dataclass(frozen=True)
class Moved:
    """What came of some steps.

    `parts` are the states after each `every` steps, `last` the one after `made` steps, all by the
    names of a State's fields. `made` is less than was asked for when the next state would hold a
    number that is not finite or beyond 1e10.
    """

    parts: Parts
    last: Parts
    made: int


class Engine:
    """Moves states of one Model by one integrator and one time step [s].

    `parts` are the fields of a State that steps change, and that a restart needs.
    """

    parts = ("q", "v")

    def __init__(
        self, model: Model, *, dt: float | None = None, integrator: str | None = None
    ) -> None:
        """`dt` and `integrator` are the model's own if not given.

        Raises PhyzctlError for a time step that is not positive or an unknown integrator.
        """
        self.model = model
        self.dt = model.dt if dt is None else float(dt)
        if not 0.0 < self.dt < np.inf:
            raise PhyzctlError(f"the time step must be positive, not {self.dt:g} s")
        self.integrator = _integrator(model, integrator)
        if not model.nv:
            raise PhyzctlError(
                f"nothing moves in {model.robot.name!r}: it has no degree of freedom"
            )
        self._dynamics = native.Dynamics(model.system, **_arrays(model))
        self.nctrl = self._dynamics.nctrl

    def advance(self, state: State, ctrl: Array, *, steps: int, every: int = 1) -> Moved:
        """Move on from `state` under `ctrl` (steps, nctrl), or (1, nctrl) for every step."""
        if state.xfrc_applied.any():
            raise PhyzctlError("forces on bodies (xfrc_applied) are not computed: use qfrc_applied")
        rolled = native.rollout(
            self._dynamics,
            state.q[np.newaxis],
            state.v[np.newaxis],
            np.ascontiguousarray(ctrl[np.newaxis], dtype=np.float64),
            steps=steps,
            dt=self.dt,
            integrator=self.integrator,
            every=every,
            applied=state.qfrc_applied[np.newaxis],
        )
        made = int(rolled.made[0])
        whole = made // every
        return Moved(
            parts={"q": rolled.q[0, :whole], "v": rolled.v[0, :whole]},
            last={"q": rolled.last_q[0], "v": rolled.last_v[0]},
            made=made,
        )

    def forces(self, parts: Parts, ctrl: Array) -> native.Forces:
        """What acts in n states (n, …) under `ctrl` (n, nctrl), and the accelerations, (n, nv)."""
        q, v = (np.ascontiguousarray(parts[name]) for name in ("q", "v"))
        return native.forward(self._dynamics, q, v, np.ascontiguousarray(ctrl))

    def mass_matrix(self, q: Array) -> Array:
        """The joint-space inertia (nv, nv) at `q` (nq,), armature included."""
        found: Array = native.mass_matrix(self._dynamics, np.ascontiguousarray(q)[np.newaxis])[0]
        return found

    def jacobian(self, q: Array, body: int, point: tuple[float, float, float]) -> Array:
        """What v does to a point of a body (6, nv): its velocity and the turning, world axes."""
        here = np.ascontiguousarray(q)[np.newaxis]
        found: Array = native.jacobian(self._dynamics, here, body, point)[0]
        return found

    def places(self, q: Array) -> Array:
        """Where the bodies are at `q` (n, nq): (n, nbody, 7), quaternions w x y z."""
        return native.kinematics(self.model.system, np.ascontiguousarray(q)).bodies


def _arrays(model: Model) -> dict[str, Any]:
    """The model's arrays, with the actuators at rest whose laws the kernel doesn't know."""
    arrays = dynamics_arrays(model)
    idle = [model.actuators.index(actuator) for actuator in idle_actuators(model)]
    if idle:
        for name in ("actuator_gear", "actuator_gain", "actuator_bias", "actuator_target"):
            arrays[name][idle] = 0
    return arrays


def _integrator(model: Model, asked: str | None) -> str:
    """What is asked for, else what the file says, else implicitfast, which forgives most gains."""
    stated = asked or (model.robot.option.integrator or "").lower()
    if stated in INTEGRATORS:
        return stated
    if asked is not None:
        hint = did_you_mean(asked, INTEGRATORS) or f"; there are {', '.join(INTEGRATORS)}"
        raise PhyzctlError(f"there is no integrator {asked!r}{hint}")
    return "euler" if model.robot.dialect == "mjcf" and not stated else "implicitfast"
