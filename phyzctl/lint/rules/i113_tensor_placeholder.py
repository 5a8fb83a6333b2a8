"""A tensor that was typed in to make a simulator start.

What it checks
    Three equal moments that are a power of ten, or more than ten times off what the box around
    the shapes would have. One finding for the file, at the first of them.

Why it matters
    The robot runs, and moves like another one. It is a warning where the part has more than 1 kg
    and the moments are more than thirty times off.

Fix
    Compute the tensors from the geometry, or take those of the CAD model.

Exceptions
    Balls and cubes have three equal moments; they are left alone unless the value is a power of
    ten or far off. So are links welded to a heavier part.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.facts import Part
from phyzctl.lint.fold import fold
from phyzctl.lint.plausibility import is_placeholder
from phyzctl.robot.checks.inertia import tensor_place

CODE = Code("I113", "tensor-placeholder", Severity.INFO)
COST = "mesh"

_OFF, _FAR_OFF = 10.0, 30.0
_HEAVY = 1.0  # [kg]


def check(context: Context) -> Iterator[Finding]:
    """Equal moments that nobody measured."""
    found = list(_placeholders(context))
    if len(found) > 1:
        summary = "the tensor is a placeholder: three equal moments, round or far off"
        found = [replace(finding, message=summary) for finding in found]
    yield from fold(found)


def _placeholders(context: Context) -> Iterator[Finding]:
    for _, part in context.facts.parts():
        if not part.bearing or not is_placeholder(part):
            continue
        off = _off(part)
        if off <= _OFF and not _is_power_of_ten(part.moments[2]):
            continue
        far = part.mass > _HEAVY and off > _FAR_OFF
        yield Finding(
            part.link,
            _message(part, off),
            tensor_place(context.robot, part.tensor),
            severity=Severity.WARNING if far else None,
        )


def _off(part: Part) -> float:
    """By what factor, at least 1, the moments differ from those of the box; 1 when not known."""
    if part.box is None:
        return 1.0
    low, high = sorted((part.gyration, part.box.gyration))
    return (high / low) * (high / low) if low > 0.0 and high < math.inf else 1.0


def _message(part: Part, off: float) -> str:
    message = f"three equal moments of {part.moments[2]:g} kg m² look typed in"
    if off <= _OFF or part.box is None:
        return message
    expected = part.mass * part.box.gyration**2
    return f"{message}; {part.mass:g} kg of that size have about {expected:.2g}"


def _is_power_of_ten(value: float) -> bool:
    exponent = math.log10(value)
    return abs(exponent - round(exponent)) < 1e-9
