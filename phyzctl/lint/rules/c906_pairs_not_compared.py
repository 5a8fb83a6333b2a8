"""A robot of too many shapes to compare each with each.

What it checks
    Whether the robot's pairs of bodies and of shapes are few enough to be sampled with --deep:
    half a million, and fewer where it has very many joints.

Why it matters
    Overlaps (C901, C902, C903) and excludes that hide one (C904) were not looked for. That none
    is reported means nothing.

Fix
    Nothing in the file need be wrong. Collision shapes that are made by the hundred may be fewer,
    or a mesh.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context

CODE = Code("C906", "pairs-not-compared", Severity.WARNING)
FORMATS = frozenset({"mjcf", "urdf"})
COST = "sweep"


def check(context: Context) -> Iterator[Finding]:
    """Why no pair was compared, where that is for their number."""
    if context.pairs_refused:
        message = f"{context.pairs_refused}; C901, C902, C903 and C904 looked at none"
        yield Finding(context.robot, message)
