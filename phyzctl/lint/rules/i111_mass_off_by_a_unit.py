"""A mass that is off by a factor of 1000.

What it checks
    The mass of a moving group over the volume of the box around its visuals and collisions is
    between 1 and 25 000 kg/m³; outside of that, a factor of 1000 leads to a plausible density,
    between 50 and 20 000.

Why it matters
    Grams read as kilograms give a finger the mass of a car: gravity compensation, contact and
    motors are all off.

Fix
    Write the mass in kilograms, and see whether the tensor needs the same factor.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.plausibility import mass_factor
from phyzctl.robot.checks.groups import authored_mass
from phyzctl.robot.checks.masses import mass_place

CODE = Code("I111", "mass-off-by-a-unit", Severity.WARNING)
COST = "mesh"


def check(context: Context) -> Iterator[Finding]:
    """Densities that a factor of 1000 repairs."""
    for group in context.facts.groups:
        factor = mass_factor(group)
        if factor is None or group.mass is None:
            continue
        heaviest = max(group.links, key=authored_mass)
        unit = "grams" if factor < 1.0 else "tonnes"
        message = (
            f"{group.mass:g} kg in a box of that size is {group.density:.3g} kg/m³; "
            f"{group.mass * factor:g} kg would be plausible: is it in {unit}?"
        )
        yield Finding(heaviest, message, mass_place(context.robot))
