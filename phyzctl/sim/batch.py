"""Batches: many runs of one robot, over threads or machines, the same wherever they are made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from typing import Any, Protocol

from phyzctl.model.compiler import compile as compile_model
from phyzctl.model.model import Model
from phyzctl.records import dataclass
from phyzctl.robot.robot import Robot
from phyzctl.sim.driving import Driving
from phyzctl.sim.engine import Engine
from phyzctl.sim.randomize import Ranges, displaced, varied
from phyzctl.sim.recording import Recording
from phyzctl.sim.run import Run
from phyzctl.sim.start import initial_start
from phyzctl.trace.header import Origin
from phyzctl.trace.trace import Trace


class Future(Protocol):
    """The result of a call that is made elsewhere."""

    def result(self) -> Any:
        """Wait for it."""


class Executor(Protocol):
    """Makes calls elsewhere: those of `concurrent.futures`, and Dask's Client."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Future:
        """Have a call made."""


@dataclass(frozen=True)
class Batch:
    """A robot and what is done with it in each of several runs, in plain values that travel.

    Every run draws from `ranges` by the `seed` and its own number. `base`, `dt`, `integrator`,
    `stiff` as for `compile` and `Engine`; `options` go into the headers of the traces.
    """

    robot: Robot
    steps: int
    base: str = "auto"
    every: int = 1
    dt: float | None = None
    integrator: str | None = None
    stiff: bool = False
    key: str | None = None
    q: Mapping[str, Any] = field(default_factory=dict)
    driving: Driving = field(default_factory=Driving)
    ranges: Ranges | None = None
    seed: int = 0
    origin: Origin = field(default_factory=lambda: Origin("", ""))
    extras: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)

    def model(self) -> Model:
        """The Model before anything is drawn."""
        return compile_model(self.robot, base=self.base)  # type: ignore[arg-type]


def make_run(batch: Batch, number: int) -> Trace:
    """The trace of one run of a batch. Calls of it are independent and can be made anywhere."""
    model = batch.model()
    drawn = {} if batch.ranges is None else batch.ranges.draw(model, batch.seed, number)
    if drawn.keys() - {"q", "v"}:
        model = compile_model(varied(batch.robot, drawn), base=batch.base)  # type: ignore[arg-type]
    engine = Engine(model, dt=batch.dt, integrator=batch.integrator, stiff=batch.stiff)
    first = initial_start(model, key=batch.key, q=batch.q)
    start = replace(first, state=displaced(model, first.state, drawn))
    run = Run(engine, batch.driving.control(engine, start), start, batch.steps, batch.every)
    options = {**batch.options, "run": number, "drawn": drawn}
    return Recording(run, batch.origin, batch.extras, batch.seed, options).trace()


def run_batch(batch: Batch, count: int, executor: Executor | None = None) -> Iterator[Trace]:
    """The traces of `count` runs in their order, made here one by one, or by an executor.

    Which worker makes a run, and in which order, changes no bit of it.
    """
    if executor is None:
        yield from (make_run(batch, number) for number in range(count))
        return
    waiting = [executor.submit(make_run, batch, number) for number in range(count)]
    for index in range(count):
        trace: Trace = waiting[index].result()
        waiting[index] = _Taken()  # so that its memory is free
        yield trace


class _Taken:
    """In the place of a result that was given out."""

    def result(self) -> None:
        """Nothing is left."""
