"""A centre of mass that lies outside its part.

What it checks
    The centre of mass of a link lies in the box around the visuals and collisions of its rigid
    group, or outside by no more than a quarter of the box's diagonal (`centre-outside`).

Why it matters
    Gravity pulls at the wrong point, and the part swings like a pendulum about nothing.

Fix
    Write the inertial's origin in metres, in the link's frame. It is an error where the numbers
    would lie inside if they were millimetres.

Exceptions
    Links welded to a heavier part are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.geometry.shapes import Vec3
from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.poses import Box

CODE = Code("I112", "centre-of-mass-outside", Severity.WARNING)
COST = "mesh"
TOLERANCES = {"centre-outside": 0.25}

_FAR = 5.0  # diagonals; what is nearer may have been measured wrongly, but in metres


def check(context: Context) -> Iterator[Finding]:
    """Centres of mass far from the shapes."""
    tolerance = context.tolerance("centre-outside")
    place = "inertial@pos" if context.dialect == "mjcf" else "inertial/origin@xyz"
    for group, part in context.facts.parts():
        box, com = group.box, part.com
        if box is None or com is None or not part.bearing:
            continue
        outside = box.distance(com)
        if outside <= tolerance * box.diagonal:
            continue
        message = (
            f"the centre of mass lies {outside:.3g} m outside the part, which measures "
            f"{box.diagonal:.3g} m"
        )
        if outside > _FAR * box.diagonal and _fits_in_millimetres(com, box):
            message += "; in millimetres it would lie inside"
            yield Finding(part.link, message, place, severity=Severity.ERROR)
        else:
            yield Finding(part.link, message, place)


def _fits_in_millimetres(com: Vec3, box: Box) -> bool:
    """True when a thousandth of the numbers lies in the part, or close to it."""
    x, y, z = (value / 1000.0 for value in com)
    return box.distance((x, y, z)) <= box.diagonal
