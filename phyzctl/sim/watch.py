"""What is watched in every run, sample by sample: velocities, and the solver."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from phyzctl import codes
from phyzctl.issues import Finding, Issue
from phyzctl.model.model import Model
from phyzctl.robot.checks import issue
from phyzctl.sim.dofs import joint_at, unit_at
from phyzctl.sim.engine import Engine
from phyzctl.sim.passing import Fastest, passing
from phyzctl.sim.run import Block, Run

_SLACK = 1.001  # of a limit: to press against it is not to exceed it
_FLUNG = 1e4  # [rad/s or m/s] no robot is as fast


class Watch:
    """Sees the blocks of a run go by."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self._model = engine, engine.model
        self._fastest = Fastest(engine.model)
        self._flung: Finding | None = None

    def see(self, block: Block) -> None:
        """Take note of a block's extremes."""
        self._flung = self._flung or flung(self._model, block)
        self._fastest.see(block)

    def issues(self, run: Run) -> list[Issue]:
        """What was out of order; where the robot was flung away, nothing else means anything."""
        if self._flung is not None and run.divergence is None:
            return [issue(codes.SIMULATION_DIVERGES, self._flung)]
        found = [issue(codes.VELOCITY_EXCEEDED, each) for each in self._too_fast()]
        if run.divergence is None:
            through = passing(self._engine, self._fastest)
            found += [issue(codes.MAY_PASS_THROUGH, each) for each in through]
        if run.capped:
            count = f"{run.capped} of {run.made} steps"
            message = f"the solver of constraints ran out of iterations in {count}"
            found.append(issue(codes.SOLVER_CAPPED, Finding(self._model.robot.option, message)))
        return found

    def _too_fast(self) -> Iterator[Finding]:
        for number, joint in enumerate(self._model.joints):
            dof = int(self._model.v_offsets[number])
            if joint.nv != 1 or self._fastest.speed[dof] <= _SLACK * joint.velocity:
                continue
            message = (
                f"moves at {self._fastest.speed[dof]:.3g} {unit_at(self._model, dof)}/s, at "
                f"{self._fastest.time[dof]:.4g} s; its limit is {joint.velocity:.3g}"
            )
            yield Finding(joint.element, message)


def flung(model: Model, block: Block) -> Finding | None:
    """S952: the first joint to move as none can, though all numbers stay finite."""
    v = block.values["v"]
    if max(v.max(initial=0.0), -v.min(initial=0.0)) <= _FLUNG:
        return None
    row = int(np.flatnonzero((np.abs(v) > _FLUNG).any(axis=1))[0])
    dof = int(np.argmax(np.abs(v[row])))
    joint, unit = joint_at(model, dof), unit_at(model, dof)
    message = f"is flung away: {abs(v[row, dof]):.3g} {unit}/s at {block.times[row]:.4g} s"
    return Finding(joint.element or model.bodies[joint.body].link, message)
