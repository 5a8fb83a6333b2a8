"""Twins whose centres of mass are not mirror images.

What it checks
    Links that go by the same name but for left and right, and have the same mass, have centres
    of mass that mirror in the plane between them, but for 5 mm and 2 % of the parts' size
    (`twin-centre`), if their frames and shapes mirror.

Why it matters
    A sign was lost when one side was made from the other: the robot leans to one side, though it
    looks the same on both.

Fix
    Write the mirrored position, which the message gives, unless the other side is the wrong one.

Exceptions
    The same part mounted on both sides, whose shapes don't mirror. Nothing is said of frames that
    are turned against each other by anything but right angles.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Related, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.twins import Twins, mirrored

CODE = Code("I121", "twin-centre-not-mirrored", Severity.WARNING)
COST = "mesh"
TOLERANCES = {"twin-centre": 0.02}  # of the parts' diagonal

_LEAST = 5e-3  # [m]


def check(context: Context) -> Iterator[Finding]:
    """Centres of mass on the wrong side."""
    tolerance = context.tolerance("twin-centre")
    for twins in context.twins:
        finding = _finding(context, twins, tolerance)
        if finding is not None:
            yield finding


def _finding(context: Context, twins: Twins, tolerance: float) -> Finding | None:
    left, right = (inertial.xyz for inertial in twins.inertials)
    if twins.mirror is None or left is None or right is None or not twins.weigh_the_same:
        return None
    expected = mirrored(left, twins.mirror)
    off = math.dist(expected, right)
    if not max(_LEAST, tolerance * (twins.size or 0.0)) < off < math.inf:
        return None
    message = (
        f"the centre of mass {_text(right)} is {1000.0 * off:.3g} mm from the mirror image of its "
        f"twin {twins.left.name!r}, {_text(expected)}"
    )
    place = "inertial@pos" if context.dialect == "mjcf" else "inertial/origin@xyz"
    related = (Related(f"{twins.left.name!r} stands here", twins.left.source),)
    return Finding(twins.right, message, place, related=related)


def _text(point: tuple[float, float, float]) -> str:
    return "(" + " ".join(f"{value + 0.0:.4g}" for value in point) + ")"
