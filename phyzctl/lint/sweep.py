"""The pairs of a robot's bodies, surveyed for the rules that need it.

Loaded on demand: it brings numpy and the kernel, which most rules do without.
"""

from __future__ import annotations

from phyzctl.errors import PhyzctlError
from phyzctl.exclude.facts import ExcludeReport
from phyzctl.exclude.survey import Effort, survey
from phyzctl.issues import Issues
from phyzctl.model.compiler import compile as compile_model
from phyzctl.robot.robot import Robot

SAMPLES = 1000


def pairs_of(robot: Robot) -> ExcludeReport | None:
    """The facts about all pairs, without proofs; None where there is nothing to compare."""
    try:
        model = compile_model(robot, issues=Issues())
        return survey(model, Effort(samples=SAMPLES, prove=False))
    except PhyzctlError:
        return None
