"""Why a run broke: the degree of freedom that ran away, and the force that drove it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from phyzctl.model.model import Model
from phyzctl.model.state import State
from phyzctl.sim.engine import Engine
from phyzctl.spatial import Array


@dataclass(frozen=True)
class Divergence:
    """Where and why a run stopped.

    `step` is the first step that could not be made, `time` [s] when it began. `joint` is the one
    that ran away, `dof` its place in v, `body` what it moves; `force` [N or N m] of the kind
    `term` is the largest that acts on it, and would give it `acceleration`.
    """

    step: int
    time: float
    joint: str
    dof: int
    body: str
    term: str
    force: float
    acceleration: float
    unsolved: bool = False
    element: Any = None

    def message(self) -> str:
        """What happened, in a sentence."""
        what = "its constraints can't be solved any more" if self.unsolved else "the run diverges"
        return (
            f"{what} in step {self.step}, at {self.time:.6g} s: "
            f"joint {self.joint!r} (dof {self.dof}, body {self.body!r}) accelerates by "
            f"{self.acceleration:.3g}, the largest force on it is {self.term} of {self.force:.3g}"
        )


def diagnose(
    engine: Engine, state: State, step: int, *, dof: int = -1, unsolved: bool = False
) -> Divergence:
    """What is wrong with the last good state, from which no step leads on.

    `dof` is where the next state is bad, if that is known, or where constraints are `unsolved`.
    """
    with np.errstate(all="ignore"):
        terms, qacc = _terms(engine, state)
    dof = dof if dof >= 0 else _worst(qacc, state.v)
    model = engine.model
    joint = next(i for i in range(len(model.joints)) if dof in _range(model, i))
    pulls = {name: abs(float(values[dof])) for name, values in terms.items()}
    term = max(pulls, key=lambda name: np.inf if np.isnan(pulls[name]) else pulls[name])
    moved = model.joints[joint]
    return Divergence(
        step=step,
        time=state.time,
        joint=moved.name,
        dof=dof,
        body=model.bodies[moved.body].name,
        term=term,
        force=pulls[term],
        acceleration=float(qacc[dof]),
        unsolved=unsolved,
        element=moved.element or model.bodies[moved.body],
    )


def _range(model: Model, joint: int) -> range:
    place = model.v_slice(joint)
    return range(place.start, place.stop)


def _terms(engine: Engine, state: State) -> tuple[dict[str, Array], Array]:
    """The forces that act, by their kind, and the acceleration."""
    parts = {part: getattr(state, part)[np.newaxis] for part in engine.parts}
    ctrl = state.ctrl[np.newaxis]
    found = engine.forces(parts, ctrl)
    still = replace(state, v=np.zeros_like(state.v))
    weight = engine.forces({part: getattr(still, part)[np.newaxis] for part in engine.parts}, ctrl)
    terms = {
        "the actuators": found.motors[0],
        "springs and dampers": found.passive[0],
        "gravity": weight.bias[0],
        "inertia (Coriolis, centrifugal)": found.bias[0] - weight.bias[0],
        "what is applied": state.qfrc_applied,
    }
    if all(np.isfinite(each).all() for each in (state.q, state.v, state.ctrl)):
        held = engine.holding.forces(state.q, state.v, state.ctrl, engine.active(state))
        terms |= dict(held)
    return terms, found.qacc[0]


def _worst(qacc: Array, v: Array) -> int:
    """The degree of freedom that runs away: no number first, then the fastest growing."""
    if not np.isfinite(qacc).all():
        return int(np.argmax(~np.isfinite(qacc)))
    return int(np.argmax(np.abs(qacc) + np.abs(v)))
