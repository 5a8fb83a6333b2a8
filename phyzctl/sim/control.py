"""What drives the actuators during a run: constants, sines, tables, feedback."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, Protocol

import numpy as np

from phyzctl.errors import NotFoundError, PhyzctlError, did_you_mean
from phyzctl.model.joint import Joint
from phyzctl.model.model import Model
from phyzctl.model.state import State
from phyzctl.native import Feedback
from phyzctl.records import dataclass
from phyzctl.spatial import Array


class Control(Protocol):
    """Gives the controls of the steps ahead."""

    @property
    def horizon(self) -> int | None:
        """For how many steps it can be asked at once: 1 if it looks at the state, None for any."""

    @property
    def feedback(self) -> Feedback | None:
        """What is added to them at every step, by the state; None for nothing."""

    def at(self, times: Array, state: State) -> Array:
        """The controls at `times` (n,) [s], the first of which is now, where `state` is.

        Of shape (n, nctrl), or (1, nctrl) for one that stays.
        """

    def describe(self) -> dict[str, Any]:
        """What it is, as JSON values."""


@dataclass(frozen=True)
class Constant:
    """The same controls all the time, but for what a feedback adds."""

    ctrl: Array
    kind: str = "constant"
    feedback: Feedback | None = None
    horizon: int | None = field(default=None, init=False)

    def at(self, times: Array, state: State) -> Array:  # noqa: ARG002
        """The controls, (1, nctrl)."""
        return self.ctrl[np.newaxis]

    def describe(self) -> dict[str, Any]:
        """Its kind and numbers."""
        return {"kind": self.kind, "ctrl": self.ctrl.tolist()}


@dataclass(frozen=True)
class Callback:
    """A function of the time [s] and the State, called at every step."""

    function: Callable[[float, State], Any]
    nctrl: int
    feedback: Feedback | None = field(default=None, init=False)
    horizon: int | None = field(default=1, init=False)

    def at(self, times: Array, state: State) -> Array:
        """The function's answer, (1, nctrl)."""
        ctrl = np.asarray(self.function(float(times[0]), state.copy()), dtype=np.float64)
        if ctrl.shape != (self.nctrl,):
            raise PhyzctlError(
                f"the control function must return ({self.nctrl},) numbers, not {ctrl.shape}"
            )
        return ctrl[np.newaxis]

    def describe(self) -> dict[str, Any]:
        """Its name, from which nobody can run it again."""
        return {"kind": "function", "name": getattr(self.function, "__qualname__", "function")}


def control_names(model: Model) -> list[str]:
    """What the columns of controls are called: actuators or, without any, degrees of freedom."""
    if model.actuators:
        return [actuator.name for actuator in model.actuators]
    return [
        name for joint in model.joints for name in _dof_names(shown_name(model, joint), joint.nv)
    ]


def shown_name(model: Model, joint: Joint) -> str:
    """What a joint's columns are called: a free one that the author didn't name after its body."""
    unnamed = joint.element is None or not joint.element.name_stated
    return model.bodies[joint.body].name if unnamed and joint.nv == 6 else joint.name


_AXES = {1: ("",), 3: (".wx", ".wy", ".wz"), 6: (".vx", ".vy", ".vz", ".wx", ".wy", ".wz")}


def _dof_names(name: str, count: int) -> list[str]:
    return [f"{name}{axis}" for axis in _AXES.get(count, ())]


def control_number(model: Model, name: str) -> int:
    """Where a control stands, by name; raises NotFoundError for one that isn't there."""
    names = control_names(model)
    if name not in names:
        hint = did_you_mean(name, names) or f"; there are {', '.join(names) or 'none'}"
        raise NotFoundError(
            f"no actuator named {name!r}{hint}"
            if model.actuators
            else f"no degree of freedom named {name!r}{hint}"
        )
    return names.index(name)


@dataclass(frozen=True)
class Table:
    """Controls at `knots` (n,) [s]: `rows` (n, nctrl), the first before, the last behind them.

    In between the last row holds on, or with `linear` goes straight to the next.
    """

    knots: Array
    rows: Array
    linear: bool = False
    source: Mapping[str, Any] = field(default_factory=dict)
    feedback: Feedback | None = field(default=None, init=False)
    horizon: int | None = field(default=None, init=False)

    def at(self, times: Array, state: State) -> Array:  # noqa: ARG002
        """The controls at the times, (n, nctrl)."""
        if self.linear:
            columns = [np.interp(times, self.knots, column) for column in self.rows.T]
            return np.stack(columns, axis=1)
        # Half a nanosecond early is in time: knots and steps are rounded differently.
        after = np.searchsorted(self.knots, times + 5e-10, side="right")
        return self.rows[np.maximum(after - 1, 0)]

    def describe(self) -> dict[str, Any]:
        """How it is read between its knots, and where it comes from."""
        digest = hashlib.sha256(np.column_stack([self.knots, self.rows]).astype("<f8").tobytes())
        between = "linear" if self.linear else "step"
        return {"kind": "table", "between": between, "sha256": digest.hexdigest(), **self.source}


@dataclass(frozen=True)
class Sine:
    """ctrl = offset + amplitude · sin(2π · frequency · (t - start)), each (nctrl,); Hz, s.

    On top of it may come the feedback that holds the pose of the start.
    """

    offset: Array
    amplitude: Array
    frequency: Array
    start: float = 0.0
    feedback: Feedback | None = None
    horizon: int | None = field(default=None, init=False)

    def at(self, times: Array, state: State) -> Array:  # noqa: ARG002
        """The controls at the times, (n, nctrl)."""
        angles = 2.0 * math.pi * np.outer(times - self.start, self.frequency)
        # Not numpy's sine, whose last bits depend on the processor and the length of the array.
        sines = np.array([math.sin(angle) for angle in angles.ravel().tolist()])
        waves: Array = self.offset + self.amplitude * sines.reshape(angles.shape)
        return waves

    def describe(self) -> dict[str, Any]:
        """Its numbers."""
        vectors = {name: getattr(self, name).tolist() for name in _WAVE}
        held = {} if self.feedback is None else {"hold": True}
        return {"kind": "sine", **vectors, "start": self.start, **held}


_WAVE = ("offset", "amplitude", "frequency")
