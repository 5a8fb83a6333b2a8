"""A tensor that disagrees with the shapes.

What it checks
    The radius of gyration of a moving part lies between a tenth (`gyration-factor`) and ten
    times that of a solid box around its visuals and collisions.

Why it matters
    The part turns more sluggishly, or more nimbly, than anything of its size and mass can.

Fix
    Compute the tensor from the geometry, or correct the origin or the unit of the tensor.

Exceptions
    What is off by more is I110, placeholders are I113, and a mass in the wrong unit I111. Links
    welded to a heavier part are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.facts import Part
from phyzctl.lint.plausibility import is_gyration_off, is_placeholder, mass_factor
from phyzctl.robot.checks.inertia import tensor_place

CODE = Code("I114", "tensor-unlike-shape", Severity.INFO)
COST = "mesh"
TOLERANCES = {"gyration-factor": 10.0}


def check(context: Context) -> Iterator[Finding]:
    """Radii of gyration that hardly fit the shapes."""
    factor = context.tolerance("gyration-factor")
    for group, part in context.facts.parts():
        if not part.bearing or mass_factor(group) is not None or is_placeholder(part):
            continue
        if part.box is None or is_gyration_off(part):
            continue
        if not part.box.gyration <= part.gyration * factor <= factor**2 * part.box.gyration:
            message = _message(part, part.box.gyration)
            yield Finding(part.link, message, tensor_place(context.robot, part.tensor))


def _message(part: Part, expected: float) -> str:
    return (
        f"the tensor puts its mass {part.gyration:.3g} m from the axis; a solid box of its size "
        f"has {expected:.3g} m"
    )
