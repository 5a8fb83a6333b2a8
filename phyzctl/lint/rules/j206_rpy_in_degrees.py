"""An orientation that looks like degrees.

What it checks
    No angle of an `<origin>`'s `rpy` in a URDF exceeds one turn (2 pi and a little).

Why it matters
    URDF measures angles in radians: `rpy="0 0 90"` turns the part by 116.6 degrees after 14 full
    turns, and no parser says a word.

Fix
    Write radians: 90 degrees are 1.5707963267948966. The offered fix converts all three
    angles, where none is beyond 360.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from phyzctl.geometry.shapes import Vec3
from phyzctl.issues import Code, Finding, Fix, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.edits import degrees_as_radians, set_attribute
from phyzctl.lint.locate import place_below

CODE = Code("J206", "rpy-in-degrees", Severity.WARNING)
FORMATS = frozenset({"urdf"})

_ONE_TURN = math.tau + 0.01  # [rad]
_DEGREES = 360.0  # the most that is taken for degrees


def check(context: Context) -> Iterator[Finding]:
    """Angles beyond one turn, on joints, inertials and geoms."""
    for element, path, rpy in _orientations(context):
        largest = max(rpy, key=abs)
        if abs(largest) > _ONE_TURN:
            message = f"rpy holds {largest:g} rad, {abs(largest) / math.tau:.3g} turns"
            fix = None
            if abs(largest) <= _DEGREES:
                message += f"; {largest:g} degrees would be {math.radians(largest):.4g} rad"
                fix = _fix(context, element, path, rpy)
            yield Finding(element, message, f"{path}@rpy", fix=fix)


def _orientations(context: Context) -> Iterator[tuple[Any, str, Vec3]]:
    """Every element with a written orientation, and where its `<origin>` stands below it."""
    for joint in context.robot.joints:
        if joint.rpy is not None:
            yield joint, "origin", joint.rpy
    for link in context.robot.links:
        if link.inertial is not None and link.inertial.rpy is not None:
            yield link, "inertial/origin", link.inertial.rpy
        for geom in link.geoms:
            if geom.rpy is not None:
                yield geom, "origin", geom.rpy


def _fix(context: Context, element: Any, path: str, rpy: Vec3) -> Fix | None:
    node = context.node(element)
    if node is None:
        return None
    origin = place_below(node, f"{path}@rpy").node
    edit = set_attribute(origin, "rpy", degrees_as_radians(rpy))
    return origin.document.fix("write the angles in radians", edit)
