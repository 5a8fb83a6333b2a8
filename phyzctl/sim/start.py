"""Where a run starts: a keyframe or the reference pose, with joints moved, or a logged state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from phyzctl.errors import PhyzctlError
from phyzctl.model.followers import place_followers
from phyzctl.model.model import Model
from phyzctl.model.positions import Stated, configuration
from phyzctl.model.state import State
from phyzctl.records import dataclass
from phyzctl.trace.trace import Trace

_FIELDS = ("q", "v", "act", "qacc_warmstart")


@dataclass(frozen=True)
class Start:
    """A State and its place in time: `step` steps after `origin` [s].

    Times are origin + step · dt, so that a run that goes on from the middle of another one sees
    the same times, bit for bit.
    """

    state: State
    origin: float = 0.0
    step: int = 0

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        vectors = {name: getattr(self.state, name).tolist() for name in _FIELDS}
        return vectors | {
            "ctrl": self.state.ctrl.tolist(),
            "origin": self.origin,
            "step": self.step,
        }


def initial_start(model: Model, *, key: str | None = None, q: Stated | None = None) -> Start:
    """The keyframe `key`, else the reference pose, with the joints of `q` where it says.

    What follows other joints (mimic) is where they have it, unless `q` puts it elsewhere.
    Raises NotFoundError for a keyframe or a joint that isn't there, PhyzctlError for numbers that
    don't fit.
    """
    state = model.default_state() if key is None else model.keyframe_state(key)
    state.q = configuration(model, q or {}, state.q)
    place_followers(model, state.q, state.v, but=q or {})
    return Start(state, state.time)


def start_from_json(model: Model, document: Mapping[str, Any]) -> Start:
    """The Start that a header states; PhyzctlError when it is none of this model."""
    state = model.default_state()
    try:
        for name in (*_FIELDS, "ctrl"):
            _fill(state, name, document[name])
        return Start(state, float(document["origin"]), int(document["step"]))
    except (KeyError, TypeError, ValueError) as error:
        raise PhyzctlError(f"the initial state of the trace is damaged: {error}") from error


def logged_start(model: Model, trace: Trace, time: float | None = None) -> Start:
    """The state of a trace at `time` [s], the last one if not given.

    Raises PhyzctlError for another model's trace, or when there is no sample at that time.
    """
    header = trace.header
    if header.kind != "simulate" or not len(trace):
        raise PhyzctlError("the trace holds no state to start from")
    first = start_from_json(model, header.initial_state)
    index = len(trace) - 1 if time is None else _index(trace, time)
    state = first.state
    for channel in header.channels:
        if channel.state:
            _fill(state, channel.name, trace.values[channel.name][index])
    _fill(state, "ctrl", trace.values["ctrl"][index])
    step = round((float(trace.times[index]) - first.origin) / header.dt)
    state.time = first.origin + step * header.dt
    return Start(state, first.origin, step)


def _index(trace: Trace, time: float) -> int:
    index = int(np.argmin(np.abs(trace.times - time)))
    found = float(trace.times[index])
    if abs(found - time) > 0.5 * trace.header.dt:
        raise PhyzctlError(f"the trace has no sample at {time:g} s; the nearest is at {found:g} s")
    return index


def _fill(state: State, name: str, numbers: Any) -> None:
    vector = getattr(state, name)
    found = np.array(numbers, dtype=np.float64)
    if found.shape != vector.shape:
        raise PhyzctlError(
            f"the trace is another model's: it states {found.size} numbers for {name}, "
            f"the model has {vector.size}"
        )
    setattr(state, name, found)
