"""Run: leads an Engine from a Start through so many steps, and gives out samples block by block."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping
from dataclasses import field, replace

import numpy as np
from numpy.typing import NDArray

from phyzctl import native
from phyzctl.errors import PhyzctlError
from phyzctl.records import dataclass
from phyzctl.sim.control import Control
from phyzctl.sim.divergence import LOOK_BACK, Divergence, diagnose, retraced
from phyzctl.sim.engine import SOLVER, Engine, Moved, Parts
from phyzctl.sim.start import Start
from phyzctl.spatial import Array

_BYTES, _STEPS = 1 << 20, 100_000  # in a block, about: what a cache holds, and a second's work


@dataclass(frozen=True)
class Block:
    """Samples: `times` (n,) [s], and per channel an array (n, columns)."""

    times: Array
    values: Mapping[str, Array]


@dataclass
class Run:
    """A run of `steps` steps, of which every `every`th is a sample, as are the first and the last.

    A sample holds a state and the controls of the step that starts from it. `made` steps have been
    made so far, in `capped` of which the solver ran out of iterations; `divergence` is there when
    the run had to stop.
    """

    engine: Engine
    control: Control
    start: Start
    steps: int
    every: int = 1
    made: int = field(default=0, init=False)
    capped: int = field(default=0, init=False)
    divergence: Divergence | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        if self.steps < 0 or self.every < 1:
            asked = f"{self.steps} and {self.every}"
            raise PhyzctlError(f"steps and every must be at least 0 and 1, not {asked}")
        self.state = self.start.state.copy()

    @property
    def samples(self) -> int:
        """How many samples there will be, if nothing stops the run."""
        return -(-self.steps // self.every) + 1

    def blocks(self) -> Iterator[Block]:
        """Make the steps. The blocks' samples follow each other; each is good until the next."""
        one = self.engine.room(1)
        size = sum(each.nbytes for each in (*one.states, one.ctrl, one.solver))
        most = max(1, min(_BYTES // size, _STEPS // self.every))
        room = self.engine.room(most)
        while self.made < self.steps and self.divergence is None:
            first, steps = self.made, min(self.every * most, self.steps - self.made)
            values = self._made(steps, room if steps == self.every * most else None)
            if self.made > first:
                yield Block(self._times(np.arange(first, self.made, self.every)), values)
        yield self._last()

    def whole(self) -> Block:
        """Make the steps; all samples at once, in memory."""
        values = self._made(self.steps) if self.steps else {}
        times, last = self._times(np.arange(0, self.made, self.every)), self._last()
        if not self.made:
            return last
        names = last.values
        joined = {name: np.concatenate([values[name], last.values[name]]) for name in names}
        return Block(np.concatenate([times, last.times]), joined)

    def _made(self, steps: int, room: native.Simulated | None = None) -> Mapping[str, Array]:
        """Make so many steps, or fewer where the run has to stop; the samples."""
        if self.control.horizon is not None:
            return self._made_singly(steps)
        times = self._times(np.arange(self.made, self.made + steps))
        ctrl, feedback = self.control.at(times, self.state), self.control.feedback
        moved = self.engine.advance(
            self.state, ctrl, steps=steps, every=self.every, feedback=feedback, into=room
        )
        self._take(moved)
        if moved.made < steps:
            self._stop(moved, ctrl[min(moved.made, len(ctrl) - 1)], self._way(moved, ctrl))
        return moved.samples()

    def _way(self, moved: Moved, ctrl: Array) -> Parts:
        """The states before each of the last steps that were made."""
        first = max(0, moved.made - LOOK_BACK) // self.every
        if not moved.made:
            return {}
        start = replace(self.state, **{part: rows[first] for part, rows in moved.parts.items()})
        first *= self.every
        driven = ctrl if len(ctrl) == 1 else ctrl[first : moved.made]
        return retraced(self.engine, start, driven, moved.made - first, self.control.feedback)

    def _made_singly(self, steps: int) -> Mapping[str, Array]:
        """One step after the other, for a control that looks at the state."""
        rows: list[Mapping[str, Array]] = []
        recent: deque[Mapping[str, Array]] = deque(maxlen=LOOK_BACK)
        for number in range(steps):
            ctrl = self.control.at(self._times(np.array([self.made])), self.state)
            moved = self.engine.advance(self.state, ctrl, steps=1)
            self._take(moved)
            if not moved.made:
                self._stop(moved, ctrl[0], _stacked(recent))
                break
            recent.append(moved.samples())
            if number % self.every == 0:
                rows.append(moved.samples())
            else:
                most = rows[-1]["solver"][:, :2]
                np.maximum(most, moved.solver[:, :2], out=most)
        return _stacked(rows)

    def _take(self, moved: Moved) -> None:
        """Go on to the last good state."""
        self.made += moved.made
        self.capped += moved.capped
        for part in self.engine.parts:
            setattr(self.state, part, moved.last[part].copy())
        self.state.time = float(self._times(np.array([self.made]))[0])

    def _stop(self, moved: Moved, ctrl: Array, history: Parts) -> None:
        """Find out why no step leads on from the present state, under these controls."""
        self.state.ctrl = self._driven(ctrl)
        self.divergence = diagnose(
            self.engine,
            self.state,
            self.start.step + self.made,
            history=history,
            unsolved_at=moved.dof if moved.unsolved else None,
        )

    def _last(self) -> Block:
        """The state that the run ends in."""
        times = self._times(np.array([self.made]))
        state = self.state
        if self.divergence is None:
            state.ctrl = self._driven(self.control.at(times, state)[0])
        values = {part: getattr(state, part)[np.newaxis] for part in self.engine.parts}
        unknown = np.full((1, len(SOLVER)), np.nan)
        return Block(times, values | {"ctrl": state.ctrl[np.newaxis], "solver": unknown})

    def _driven(self, ctrl: Array) -> Array:
        """The controls of a step from the present state."""
        feedback = self.control.feedback
        if feedback is None:
            return ctrl.copy()
        return feedback.added(ctrl, self.state.q, self.state.v)

    def _times(self, steps: NDArray[np.int64]) -> Array:
        """When steps counted from this run's start begin [s]."""
        whole = (self.start.step + steps).astype(np.float64)
        return self.start.origin + whole * self.engine.dt


def _stacked(rows: Collection[Mapping[str, Array]]) -> Mapping[str, Array]:
    """Samples, one after the other."""
    names = next(iter(rows), {})
    return {name: np.concatenate([row[name] for row in rows]) for name in names}
