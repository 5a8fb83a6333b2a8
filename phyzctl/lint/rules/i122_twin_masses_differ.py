"""Twins of different mass.

What it checks
    Links that go by the same name but for left and right differ in mass by no more than 20 %
    (`twin-mass`).

Why it matters
    Few robots are that lopsided. Where nobody meant it, the robot leans and turns as it moves.

Fix
    Weigh both sides. Nothing is wrong where one side carries more, such as a battery.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Related, Severity
from phyzctl.lint.context import Context
from phyzctl.robot.checks.masses import mass_place

CODE = Code("I122", "twin-masses-differ", Severity.INFO)
COST = "mesh"
TOLERANCES = {"twin-mass": 0.2}  # of the heavier one


def check(context: Context) -> Iterator[Finding]:
    """Pairs of masses that are far apart."""
    tolerance = context.tolerance("twin-mass")
    for twins in context.twins:
        left, right = (inertial.mass or 0.0 for inertial in twins.inertials)
        if abs(left - right) > tolerance * max(left, right):
            message = f"weighs {right:g} kg, its twin {twins.left.name!r} {left:g} kg"
            related = (Related(f"{twins.left.name!r} stands here", twins.left.source),)
            yield Finding(twins.right, message, mass_place(context.robot), related=related)
