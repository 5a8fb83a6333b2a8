"""The robot let go for a second, for the rules that need it.

Loaded on demand: it brings the simulator, which most rules do without.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from phyzctl.errors import PhyzctlError
from phyzctl.issues import Finding, Issues
from phyzctl.model.compiler import compile as compile_model
from phyzctl.records import dataclass
from phyzctl.robot.robot import Robot
from phyzctl.sim.control import Constant
from phyzctl.sim.energy import energy_findings
from phyzctl.sim.engine import Engine
from phyzctl.sim.run import Run
from phyzctl.sim.smoke import home_key
from phyzctl.sim.start import Start, initial_start

SECONDS = 1.0
MOST_STEPS = 20_000  # a step may be written as small as one likes


@dataclass(frozen=True)
class FreeRun:
    """What becomes of a robot whose motors do nothing."""

    engine: Engine
    start: Start

    @cached_property
    def divergence(self) -> Finding | None:
        """The joint that runs away within a second."""
        steps = max(1, min(MOST_STEPS, round(SECONDS / self.engine.dt)))
        run = Run(self.engine, Constant(np.zeros(self.engine.nctrl)), self.start, steps)
        for _ in run.blocks():
            pass
        broken = run.divergence
        return None if broken is None else Finding(broken.element, broken.message())

    def energy(self) -> Iterator[Finding]:
        """Energy that comes from the time step; what runs away has more than that amiss."""
        if self.divergence is not None:
            return
        for _, finding in energy_findings(self.engine, self.start):
            yield finding


def free_run(robot: Robot) -> FreeRun | None:
    """None where the robot can't be simulated."""
    try:
        model = compile_model(robot, issues=Issues())
        return FreeRun(Engine(model), initial_start(model, key=home_key(model)))
    except PhyzctlError:
        return None
