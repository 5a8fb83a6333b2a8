"""The pairs of a robot's bodies, surveyed for the rules that need it.

Loaded on demand: it brings numpy and the kernel, which most rules do without.
"""

from __future__ import annotations

from typing import NamedTuple

from phyzctl.errors import PhyzctlError
from phyzctl.exclude.facts import ExcludeReport
from phyzctl.exclude.pairs import TooManyPairsError, body_pairs
from phyzctl.exclude.survey import Effort, survey
from phyzctl.issues import Issues
from phyzctl.model.compiler import compile as compile_model
from phyzctl.robot.robot import Robot

SAMPLES = 1000
FEWEST_SAMPLES = 20
TESTS = 1_000_000  # of two shapes in one configuration: seconds where most overlap


class Swept(NamedTuple):
    """The facts about all pairs, None where there are none; why, where there are too many."""

    report: ExcludeReport | None
    refused: str = ""


def pairs_of(robot: Robot) -> Swept:
    """The facts about all pairs, without proofs.

    A robot of very many shapes is looked at in fewer configurations.
    """
    try:
        model = compile_model(robot, issues=Issues())
        shapes = sum(len(pair.geoms) for pair in body_pairs(model))
        samples = max(FEWEST_SAMPLES, min(SAMPLES, TESTS // max(1, shapes)))
        return Swept(survey(model, Effort(samples=samples, prove=False, pursue=False)))
    except TooManyPairsError as error:
        return Swept(None, str(error))
    except PhyzctlError:
        return Swept(None)
