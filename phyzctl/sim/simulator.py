"""Simulator: a Model moved step by step from a program; `simulate`: a whole run in a call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal, cast

import numpy as np

from phyzctl.errors import NotFoundError, PhyzctlError, did_you_mean
from phyzctl.model.model import Model
from phyzctl.model.positions import Stated
from phyzctl.model.state import State
from phyzctl.native import Forces
from phyzctl.sim.control import Callback, Constant, Control, Table
from phyzctl.sim.divergence import diagnose, retraced
from phyzctl.sim.engine import Engine
from phyzctl.sim.hold import hold
from phyzctl.sim.recording import Recording, origin_of_model
from phyzctl.sim.run import Run
from phyzctl.sim.start import Start, initial_start
from phyzctl.spatial import Array
from phyzctl.trace.trace import Trace

Controls = Control | Callable[[float, State], Any] | Sequence[float] | Array | Literal["hold"]


class DivergedError(PhyzctlError):
    """A step led to numbers that are not finite; the sentence says which joint and force."""


class Simulator:
    """Moves a Model; `state` is where it is, and may be changed or set between steps.

    `dt` [s] and `integrator` are the model's own if not given, `stiff` is as for `simulate`. What
    the model asks for and a step leaves out is told by `unsupported_issues`.
    """

    def __init__(
        self,
        model: Model,
        *,
        dt: float | None = None,
        integrator: str | None = None,
        stiff: bool = False,
    ) -> None:
        self.model = model
        self._engine = Engine(model, dt=dt, integrator=integrator, stiff=stiff)
        self._room = self._engine.room(1)
        self._steps = 0
        self._origin = 0.0
        self._state = initial_start(model).state

    @property
    def dt(self) -> float:
        """The time step [s]."""
        return self._engine.dt

    @property
    def integrator(self) -> str:
        """By which formula steps are made."""
        return self._engine.integrator

    @property
    def time(self) -> float:
        """The time [s]."""
        return self._state.time

    @property
    def state(self) -> State:
        """The state, not a copy."""
        return self._state

    @state.setter
    def state(self, value: State) -> None:
        self._state = value.copy()
        self._origin, self._steps = value.time, 0

    def reset(self, *, key: str | None = None, q: Stated | None = None) -> State:
        """Go to a keyframe, else to the reference pose, with the joints of `q` where it says."""
        self.state = initial_start(self.model, key=key, q=q).state
        return self._state

    def step(self, ctrl: Sequence[float] | Array | None = None, *, count: int = 1) -> State:
        """Make `count` steps under `ctrl` (nctrl,), which stays until it is changed.

        Raises PhyzctlError for a wrong length, DivergedError, with the state left at the last
        good one, when a step leads nowhere.
        """
        state = self._state
        if ctrl is not None:
            state.ctrl = vector("ctrl", ctrl, self._engine.nctrl)
        before, ctrl = replace(state), state.ctrl[np.newaxis]
        moved = self._engine.advance(state, ctrl, steps=count, every=count, into=self._room)
        for part in self._engine.parts:
            setattr(state, part, moved.last[part].copy())
        self._steps += moved.made
        state.time = self._origin + self._steps * self.dt
        if moved.made < count:
            way = retraced(self._engine, before, ctrl, moved.made)
            found = diagnose(self._engine, state, self._steps, history=way)
            raise DivergedError(found.message())
        return state

    # What holds in the present state

    def forces(self) -> Forces:
        """What acts, and the accelerations, each (nv,)."""
        parts = {part: getattr(self._state, part)[np.newaxis] for part in self._engine.parts}
        found = self._engine.forces(parts, self._state.ctrl[np.newaxis])
        return Forces(*(each[0] for each in found))

    def mass_matrix(self) -> Array:
        """The joint-space inertia (nv, nv), armature included."""
        return self._engine.mass_matrix(self._state.q)

    def pose(self, body: str) -> Array:
        """X_WB (4, 4) of a body; raises NotFoundError for one that isn't there."""
        pose: Array = self.model.kinematics(self._state.q).bodies[self._body(body)]
        return pose

    def jacobian(self, body: str, point: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Array:
        """What v does to a point [m] of a body (6, nv): velocity, then turning, in world axes."""
        return self._engine.jacobian(self._state.q, self._body(body), point)

    def _body(self, name: str) -> int:
        found = self.model.body_index(name)
        if found is None:
            hint = did_you_mean(name, [body.name for body in self.model.bodies])
            raise NotFoundError(f"no body named {name!r}{hint}")
        return found


def simulate(
    model: Model,
    *,
    steps: int,
    state: State | None = None,
    control: Controls | None = None,
    dt: float | None = None,
    integrator: str | None = None,
    every: int = 1,
    stiff: bool = False,
) -> Trace:
    """The trace of `steps` steps from `state`, by default the reference pose.

    `control` is (nctrl,) that stays, (steps, nctrl), a function of the time [s] and the State, or
    "hold" for servos and motors that keep the pose; by default the state's own. Every `every`th
    step is a sample, as are the first and the last. `stiff` makes contacts and other constraints
    as hard as the time step allows, which is what high stacks and heavy things on light ones need.
    A run that diverges ends early: `trace.header.complete` is False and its events say why.
    Raises PhyzctlError for what makes no sense.
    """
    engine = Engine(model, dt=dt, integrator=integrator, stiff=stiff)
    first = initial_start(model).state if state is None else state.copy()
    driven = as_control(control, first, engine, steps)
    run = Run(engine, driven, Start(first, first.time), steps, every)
    return Recording(run, origin_of_model(model)).trace()


def as_control(control: Controls | None, state: State, engine: Engine, steps: int) -> Control:
    """Whatever drives a run, as a Control."""
    if control is None:
        return Constant(vector("ctrl", state.ctrl, engine.nctrl))
    if isinstance(control, str):
        if control != "hold":
            raise PhyzctlError(f"a control in a word is 'hold', not {control!r}")
        return hold(engine, state)
    if hasattr(control, "describe"):
        return cast("Control", control)
    if callable(control):
        return Callback(control, engine.nctrl)
    numbers: Array = np.array(control, dtype=np.float64)
    if numbers.ndim == 1:
        return Constant(vector("control", numbers, engine.nctrl))
    if numbers.shape != (steps, engine.nctrl):
        raise PhyzctlError(
            f"control must have the shape ({engine.nctrl},) or ({steps}, {engine.nctrl}), "
            f"not {numbers.shape}"
        )
    times = state.time + engine.dt * np.arange(steps, dtype=np.float64)
    return Table(times, numbers)


def vector(name: str, values: Sequence[float] | Array, length: int) -> Array:
    """Numbers as an array; PhyzctlError unless there are `length` of them."""
    found = np.array(values, dtype=np.float64)
    if found.shape != (length,):
        raise PhyzctlError(f"{name} must have the shape ({length},), not {found.shape}")
    return found
