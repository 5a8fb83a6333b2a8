"""A tensor that is off by a unit.

What it checks
    The radius of gyration of a moving part, the root of its largest principal moment over its
    mass, fits the box around its visuals and collisions: no more than five times the box's
    longest side, and no less than a hundredth. Where the shapes aren't known, it lies between
    0.5 mm and 2 m.

Why it matters
    CAD programs export kg mm² and g mm². Read as kg m², such a tensor is a million times too
    large: the part resists every turn, and controllers tuned on it mean nothing.

Fix
    Multiply the tensor by the factor in the message, if there is one: the power of 1000 that
    brings it to the size of the geometry. With a million or more it is an error; else a
    warning, since some raise small inertias on purpose to calm a simulation.

Exceptions
    One level lower where the link is welded to a heavier part, and nothing where it resists less
    than that. Three equal round moments are
    I113's; a mass in the wrong unit is I111's.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Related, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.facts import GroupFacts, Part
from phyzctl.lint.plausibility import (
    is_gyration_off,
    is_placeholder,
    mass_factor,
    tensor_factor,
    unit_of_factor,
)
from phyzctl.lint.poses import Pose
from phyzctl.lint.tensors import scale_fix
from phyzctl.robot.checks.inertia import tensor_place

CODE = Code("I110", "tensor-off-by-a-unit", Severity.ERROR)
COST = "mesh"

_SURE = (1e-9, 1e-6, 1e6, 1e9)  # a factor of 1000 may be chance, or a value raised on purpose


def check(context: Context) -> Iterator[Finding]:
    """Radii of gyration that don't fit the shapes."""
    for group, part in context.facts.parts():
        if mass_factor(group) is not None or not _matters(group, part):
            continue
        if is_gyration_off(part) and not is_placeholder(part):
            factor = tensor_factor(part)
            severity = Severity.ERROR if factor in _SURE else Severity.WARNING
            yield Finding(
                part.link,
                _message(part, factor),
                tensor_place(context.robot, part.tensor),
                severity=severity if part.bearing else Severity(severity - 1),
                fix=None if factor is None else scale_fix(context, part.link, factor),
                related=tuple(_farthest(context, part)),
            )


def _farthest(context: Context, part: Part) -> Iterator[Related]:
    """The shape of the part that reaches farthest: perhaps it is what is wrong."""
    if part.box is None:
        return
    boxes = context.facts.extents.boxes
    found = [
        (max(map(abs, (*box.low, *box.high))), geom.source)
        for geom in part.link.geoms
        for box in boxes(part.link, Pose(), among=[geom]) or ()
    ]
    if found:
        yield Related("the shape that reaches farthest", max(found, key=lambda each: each[0])[1])


def _matters(group: GroupFacts, part: Part) -> bool:
    """True for a bearing part, and for a welded one that resists more than all others."""
    return part.bearing or 2.0 * part.moments[2] > sum(other.moments[2] for other in group.parts)


def _message(part: Part, factor: float | None) -> str:
    size = "" if part.box is None else f", in shapes of {max(part.box.sides):.3g} m"
    message = f"the tensor puts its mass {part.gyration:.3g} m from the axis{size}"
    if factor is None:
        return message
    unit = unit_of_factor(factor)
    return f"{message}; times {factor:.0e} it fits" + (f": is it in {unit}?" if unit else "")
