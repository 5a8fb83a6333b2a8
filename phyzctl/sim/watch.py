"""What is watched in every run, sample by sample: velocity limits, and the solver."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from phyzctl import codes
from phyzctl.issues import Finding, Issue
from phyzctl.model.model import Model
from phyzctl.robot.checks import issue
from phyzctl.sim.dofs import joint_at, unit_at
from phyzctl.sim.run import Block, Run

_SLACK = 1.001  # of a limit: to press against it is not to exceed it
_FLUNG = 1e4  # [rad/s or m/s] no robot is as fast


class Watch:
    """Sees the blocks of a run go by."""

    def __init__(self, model: Model) -> None:
        self._model = model
        joints = [i for i, joint in enumerate(model.joints) if joint.nv == 1]
        self._joints = [i for i in joints if model.joints[i].velocity < np.inf]
        self._dofs = [int(model.v_offsets[i]) for i in self._joints]
        self._limits = np.array([model.joints[i].velocity for i in self._joints])
        self._fastest = np.zeros(len(self._dofs))
        self._when = np.zeros(len(self._dofs))
        self._flung: Finding | None = None

    def see(self, block: Block) -> None:
        """Take note of a block's extremes."""
        self._flung = self._flung or flung(self._model, block)
        if not self._dofs:
            return
        speed = np.abs(block.values["v"][:, self._dofs])
        rows = speed.argmax(axis=0)
        most = speed[rows, np.arange(len(self._dofs))]
        later = most > self._fastest
        self._fastest[later], self._when[later] = most[later], block.times[rows][later]

    def issues(self, run: Run) -> list[Issue]:
        """What was out of order; where the robot was flung away, nothing else means anything."""
        if self._flung is not None and run.divergence is None:
            return [issue(codes.SIMULATION_DIVERGES, self._flung)]
        found = [issue(codes.VELOCITY_EXCEEDED, each) for each in self._too_fast()]
        if run.capped:
            count = f"{run.capped} of {run.made} steps"
            message = f"the solver of constraints ran out of iterations in {count}"
            found.append(issue(codes.SOLVER_CAPPED, Finding(self._model.robot.option, message)))
        return found

    def _too_fast(self) -> Iterator[Finding]:
        for index in np.flatnonzero(self._fastest > _SLACK * self._limits).tolist():
            joint = self._model.joints[self._joints[index]]
            unit = "rad/s" if joint.type.name == "HINGE" else "m/s"
            message = (
                f"moves at {self._fastest[index]:.3g} {unit}, at {self._when[index]:.4g} s; "
                f"its limit is {self._limits[index]:.3g}"
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
