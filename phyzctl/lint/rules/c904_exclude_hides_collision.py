"""An exclude that hides a real collision.

What it checks
    Bodies that the file excludes, and that aren't neighbours, overlap in hardly any of 1000
    configurations, or in nearly all. Meshes count as their convex hulls.

Why it matters
    What touches now and then is a collision that can happen. Excluded, the simulation and the
    planner let the parts pass through each other, and the robot breaks.

Fix
    Remove the exclude; `phyzctl exclude explain` shows the pose.

Exceptions
    Overlaps of the reference pose that look drawn are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.exclude.codes import EXCLUDE_HIDES_COLLISION
from phyzctl.issues import Finding
from phyzctl.lint.context import Context

CODE = EXCLUDE_HIDES_COLLISION
FORMATS = frozenset({"mjcf"})
COST = "sweep"


def check(context: Context) -> Iterator[Finding]:
    """Excluded pairs that overlap now and then."""
    report = context.pairs
    if report is None:
        return
    for exclude in context.robot.excludes:
        facts = report.find(exclude.first, exclude.second)
        if facts is not None and facts.hides_collision:
            depth = f", by up to {-1000.0 * facts.deepest.distance:.3g} mm" if facts.deepest else ""
            share = f"{100.0 * facts.share:.3g}%"
            yield Finding(exclude, f"they overlap in {share} of configurations{depth}")
