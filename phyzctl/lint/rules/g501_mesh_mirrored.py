"""A mesh that is mirrored by a negative scale.

What it checks
    The product of a mesh's three scales is not negative.

Why it matters
    Mirroring turns the faces inside out. Programs that don't turn them back draw the part from
    within, or take what is outside for inside; some read the sign away and show the part as it is
    in the file, for the wrong side of the robot.

Fix
    Mirror the mesh in the program that made it, and write a positive scale.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold

CODE = Code("G501", "mesh-mirrored", Severity.INFO)
FORMATS = frozenset({"urdf", "mjcf"})
RAISED = dict.fromkeys(("gazebo", "isaac", "usd"), Severity.WARNING)


def check(context: Context) -> Iterator[Finding]:
    """Scales that mirror."""
    yield from fold(
        Finding(mesh, "a negative scale mirrors the mesh and turns it inside out", "scale")
        for mesh in context.robot.meshes
        if mesh.scale is not None and math.prod(mesh.scale) < 0.0
    )
