"""Twins of the same mass and different tensors.

What it checks
    Links that go by the same name but for left and right, and have the same mass, have the same
    principal moments, but for 5 % (`twin-moments`) and the rounding of what is written.

Why it matters
    One of the two was mistyped, or changed and the other forgotten: the robot walks with a limp
    that the real one doesn't have.

Fix
    Find out which one is right, and mirror it to the other side.

Exceptions
    An info where both are welded to heavier parts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Related, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.twins import Twins
from phyzctl.robot.checks.groups import bearing_links
from phyzctl.robot.checks.inertia import last_digit, tensor_place
from phyzctl.robot.elements import Inertial
from phyzctl.tensor import symmetric_eigenvalues

CODE = Code("I120", "twin-tensors-differ", Severity.WARNING)
COST = "mesh"
TOLERANCES = {"twin-moments": 0.05}  # of the largest moment

_DIGITS = 2.0  # units in the last digit that may be rounding

_Moments = tuple[float, float, float]


def check(context: Context) -> Iterator[Finding]:
    """Pairs of moments that should be equal."""
    tolerance, bearing = context.tolerance("twin-moments"), bearing_links(context.robot)
    for twins in context.twins:
        left, right = (_moments(inertial) for inertial in twins.inertials)
        if left is None or right is None or not twins.weigh_the_same:
            continue
        off = max(abs(a - b) for a, b in zip(left, right, strict=True))
        if off > max(tolerance * max(*left, *right), _rounding(twins)):
            yield _finding(context, twins, (left, right), bearing)


def _finding(
    context: Context, twins: Twins, moments: tuple[_Moments, _Moments], bearing: frozenset[str]
) -> Finding:
    left, right = (", ".join(f"{moment:.4g}" for moment in each) for each in moments)
    message = (
        f"weighs as much as its twin {twins.left.name!r}, but its principal moments are {right} "
        f"and not {left} kg m²"
    )
    tensor = twins.inertials[1].inertia
    place = tensor_place(context.robot, tensor) if tensor is not None else None
    welded = bearing.isdisjoint({twins.left.name, twins.right.name})
    related = (Related(f"{twins.left.name!r} stands here", twins.left.source),)
    severity = Severity.INFO if welded else None
    return Finding(twins.right, message, place, severity=severity, related=related)


def _rounding(twins: Twins) -> float:
    """What rounding to the digits as written can make of the difference of two moments."""
    tensors = [inertial.inertia for inertial in twins.inertials if inertial.inertia is not None]
    return _DIGITS * max(last_digit(tensor) for tensor in tensors)


def _moments(inertial: Inertial) -> _Moments | None:
    """The principal moments; None where there are none, or not all above zero."""
    tensor = inertial.inertia
    if tensor is None or not all(map(math.isfinite, tensor)):
        return None
    moments = symmetric_eigenvalues(*tensor)
    return moments if moments[0] > 0.0 else None
