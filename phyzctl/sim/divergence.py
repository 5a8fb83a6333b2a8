"""Why a run broke: the degree of freedom that ran away, and the force that drove it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from phyzctl import native
from phyzctl.model.state import State
from phyzctl.records import dataclass
from phyzctl.sim.dofs import joint_at
from phyzctl.sim.engine import Engine, Parts
from phyzctl.spatial import Array

LOOK_BACK = 1000
"""Steps, within which the cause of a divergence is looked for."""
_WEIGHT = "gravity"
_CALM = 100.0  # [rad/s or m/s] above that motion tells of what happened, not why


@dataclass(frozen=True)
class Divergence:
    """Where and why a run stopped.

    `step` is the first step that could not be made, `time` [s] when it began. What follows holds
    in the last step from a calm state, `since`: `joint` is the one that ran away, `dof` its place
    in v, `body` what it moves; `force` [N or N m] of the kind `term` is the largest that acts on
    it, where it accelerates by `acceleration`.
    """

    step: int
    time: float
    since: int
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
        began = f"in step {self.since} " if self.since < self.step else ""
        return (
            f"{what} in step {self.step}, at {self.time:.6g} s: {began}"
            f"joint {self.joint!r} (dof {self.dof}, body {self.body!r}) accelerates by "
            f"{self.acceleration:.3g}, the largest force on it is {self.term} of {self.force:.3g}"
        )


def retraced(
    engine: Engine, start: State, ctrl: Array, steps: int, feedback: native.Feedback | None = None
) -> Parts:
    """The states before each of some steps that were made from `start`, and with what controls."""
    if not steps:
        return {}
    return engine.advance(start, ctrl, steps=steps, feedback=feedback).samples()


def diagnose(
    engine: Engine, state: State, step: int, *, history: Parts, unsolved_at: int | None = None
) -> Divergence:
    """What is wrong with the last good state, from which step `step` leads nowhere.

    `history` are states before the steps that led there. `unsolved_at` is the degree of freedom
    where constraints are furthest from being solved, if it is they.
    """
    with np.errstate(all="ignore"):
        if unsolved_at is not None:
            back, cause = 0, _cause(engine, state, unsolved_at)
        else:
            back, cause = _first_cause(engine, state, history)
    model = engine.model
    moved = joint_at(model, cause.dof)
    return Divergence(
        step=step,
        time=state.time,
        since=step - back,
        joint=moved.name,
        dof=cause.dof,
        body=model.bodies[moved.body].name,
        term=cause.term,
        force=cause.force,
        acceleration=cause.acceleration,
        unsolved=unsolved_at is not None,
        element=moved.element or model.bodies[moved.body],
    )


@dataclass(frozen=True)
class _Cause:
    dof: int
    term: str
    force: float
    acceleration: float


def _first_cause(engine: Engine, state: State, history: Parts) -> tuple[int, _Cause]:
    """How many steps ago things went wrong, and by what.

    That is what acts in the last calm state or, where that is only weight, what would act there if
    it moved the way it accelerates, at a speed at which inertia does not yet hide all else.
    """
    states = _states(engine, state, history)
    speeds = np.array([np.abs(each.v).max(initial=0.0) for each in states])
    last = int(np.flatnonzero(speeds <= max(_CALM, 10.0 * speeds[0]))[-1])
    cause = _cause(engine, states[last])
    if cause.term == _WEIGHT:
        _, qacc = _terms(engine, states[last])
        most = np.abs(qacc).max()
        if 0.0 < most < np.inf:
            cause = _cause(engine, replace(states[last], v=qacc * (_CALM / most)))
    return len(states) - 1 - last, cause


def _states(engine: Engine, state: State, history: Parts) -> list[State]:
    names = (*engine.parts, "ctrl")
    count = len(history.get("v", ()))
    rows = ({name: history[name][i] for name in names} for i in range(count))
    return [*(replace(state, **row) for row in rows), state]


def _cause(engine: Engine, state: State, dof: int | None = None) -> _Cause:
    """The force that accelerates most, of all or of those on a degree of freedom."""
    terms, qacc = _terms(engine, state)
    pulls = np.abs(list(terms.values()))
    if dof is None:
        weights = np.sqrt(np.diag(engine.mass_matrix(state.q)))
        dof = _most(pulls.max(axis=0) / weights)
    term = _most(pulls[:, dof])
    return _Cause(dof, list(terms)[term], float(pulls[term, dof]), float(qacc[dof]))


def _most(values: Array) -> int:
    """Where the greatest is; what is no number is greater."""
    return int(np.argmax(np.where(np.isnan(values), np.inf, values)))


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
        _WEIGHT: weight.bias[0],
        "inertia (Coriolis, centrifugal)": found.bias[0] - weight.bias[0],
        "what is applied": state.qfrc_applied,
    }
    if all(np.isfinite(each).all() for each in (state.q, state.v, state.ctrl)):
        held = engine.holding.forces(state.q, state.v, state.ctrl, engine.active(state))
        terms |= dict(held)
    return terms, found.qacc[0]
