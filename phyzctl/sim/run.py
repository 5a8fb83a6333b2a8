"""Run: leads an Engine from a Start through so many steps, and gives out samples block by block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from phyzctl.errors import PhyzctlError
from phyzctl.sim.control import Control
from phyzctl.sim.divergence import Divergence, diagnose
from phyzctl.sim.engine import SOLVER, Engine, Moved
from phyzctl.sim.start import Start
from phyzctl.spatial import Array

_SAMPLES = 2048  # in a block


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
        self._solver = np.zeros((1, len(SOLVER)))

    def blocks(self) -> Iterator[Block]:
        """Make the steps. The blocks' samples follow each other."""
        size = self.every * _SAMPLES
        while self.made < self.steps and self.divergence is None:
            before = {part: getattr(self.state, part) for part in self.engine.parts}
            first, moved, ctrl = self.made, *self._advance(min(size, self.steps - self.made))
            count = -(-moved.made // self.every)  # samples that a step starts from
            parts = {
                part: np.concatenate([before[part][np.newaxis], moved.parts[part][: count - 1]])
                for part in before
            }
            if count:
                at = first + self.every * np.arange(count)
                solver = np.concatenate([self._solver, moved.solver[: count - 1]])
                yield Block(self._times(at), parts | {"ctrl": ctrl[:count], "solver": solver})
                rest = moved.solver[count - 1 : count]
                self._solver = rest if len(rest) else np.full((1, len(SOLVER)), np.nan)
        yield self._last()

    def _advance(self, steps: int) -> tuple[Moved, Array]:
        """Make up to so many steps; what came of them, and the controls of the samples."""
        if self.control.horizon is not None:
            return self._advance_singly(steps)
        times = self._times(np.arange(self.made, self.made + steps))
        ctrl = self.control.at(times, self.state)
        every = min(self.every, steps)
        moved = self.engine.advance(self.state, ctrl, steps=steps, every=every)
        self._take(moved, steps, ctrl)
        samples = -(-steps // self.every)
        shown = ctrl[:: self.every] if len(ctrl) == steps else np.repeat(ctrl[:1], samples, axis=0)
        return moved, shown

    def _advance_singly(self, steps: int) -> tuple[Moved, Array]:
        """One step after the other, for a control that looks at the state."""
        kept: list[Moved] = []
        shown: list[Array] = []
        solver: list[Array] = []
        for number in range(steps):
            ctrl = self.control.at(self._times(np.array([self.made])), self.state)
            moved = self.engine.advance(self.state, ctrl, steps=1)
            self._take(moved, 1, ctrl)
            if number % self.every == 0:
                shown.append(ctrl[0])
            if self.divergence is not None:
                steps = number
                break
            solver.append(moved.solver[0])
            if (number + 1) % self.every == 0:
                kept.append(moved)
        parts = {
            part: np.concatenate(
                [getattr(self.state, part)[np.newaxis][:0], *(each.parts[part] for each in kept)]
            )
            for part in self.engine.parts
        }
        return Moved(parts, {}, _gathered(solver, self.every), steps), np.array(shown)

    def _take(self, moved: Moved, asked: int, ctrl: Array) -> None:
        """Go on to the last good state; find out what happened when there are steps missing."""
        self.made += moved.made
        self.capped += moved.capped
        for part in self.engine.parts:
            setattr(self.state, part, moved.last[part].copy())
        self.state.time = float(self._times(np.array([self.made]))[0])
        if moved.made < asked:
            at = ctrl[min(moved.made, len(ctrl) - 1)]
            self.state.ctrl = at.copy()
            step = self.start.step + self.made
            self.divergence = diagnose(
                self.engine, self.state, step, dof=moved.dof, unsolved=moved.unsolved
            )

    def _last(self) -> Block:
        """The state that the run ends in."""
        times = self._times(np.array([self.made]))
        if self.divergence is None:
            self.state.ctrl = self.control.at(times, self.state)[0].copy()
        values = {part: getattr(self.state, part)[np.newaxis] for part in self.engine.parts}
        return Block(times, values | {"ctrl": self.state.ctrl[np.newaxis], "solver": self._solver})

    def _times(self, steps: NDArray[np.int64]) -> Array:
        """When steps counted from this run's start begin [s]."""
        whole = (self.start.step + steps).astype(np.float64)
        return self.start.origin + whole * self.engine.dt


def _gathered(rows: list[Array], every: int) -> Array:
    """Rows of `SOLVER` a step as rows a sample."""
    found = [np.array(rows[i : i + every]) for i in range(0, len(rows) - every + 1, every)]
    merged = [np.concatenate([some[:, :2].max(axis=0), some[-1, 2:]]) for some in found]
    return np.array(merged).reshape(-1, len(SOLVER))


def joined(blocks: Iterator[Block]) -> Block:
    """All blocks as one."""
    every = list(blocks)
    names = every[0].values
    values = {name: np.concatenate([block.values[name] for block in every]) for name in names}
    return Block(np.concatenate([block.times for block in every]), values)
