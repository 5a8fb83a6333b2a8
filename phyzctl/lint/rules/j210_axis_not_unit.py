"""An axis whose length is not 1.

What it checks
    The `<axis>` of a movable joint of a URDF has length 1 to within 0.001. Zero is another rule's.

Why it matters
    Most consumers normalise the axis; PyBullet scales the motion by its length, so the same file
    moves differently there.

Fix
    Write the unit vector; the direction stays the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from phyzctl.geometry.shapes import Vec3
from phyzctl.issues import Code, Finding, Fix, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.edits import numbers, set_attribute
from phyzctl.robot.elements import Joint

CODE = Code("J210", "axis-not-unit", Severity.WARNING)
FORMATS = frozenset({"urdf"})
TOLERANCES = {"axis-length": 1e-3}

_NO_LENGTH = 1e-9  # J211's


def check(context: Context) -> Iterator[Finding]:
    """Axes that are too long or too short."""
    tolerance = context.tolerance("axis-length")
    for joint in context.robot.joints:
        if joint.axis is None or not joint.kind.has_axis:
            continue
        length = math.hypot(*joint.axis)
        if length > _NO_LENGTH and abs(length - 1.0) > tolerance:
            message = f"the axis has length {length:.6g}, not 1"
            fix = _fix(context, joint, joint.axis)
            yield Finding(joint, message, "axis@xyz", fix=fix)


def _fix(context: Context, joint: Joint, axis: Vec3) -> Fix | None:
    node = context.node(joint)
    written = node.find("axis") if node else None
    if written is None:
        return None
    length = math.hypot(*axis)
    unit = numbers(value / length + 0.0 for value in axis)  # + 0.0 turns -0 into 0
    return written.document.fix("normalise", set_attribute(written, "xyz", unit), safe=True)
