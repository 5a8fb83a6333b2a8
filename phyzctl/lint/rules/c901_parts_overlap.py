"""Parts that overlap where the robot starts.

What it checks
    In the first keyframe, or without one in the reference pose, no two bodies overlap by more
    than 10 mm, neighbours left aside. Meshes count as their convex hulls.

Why it matters
    A simulator pushes them apart with all its might in the first step, and a planner takes the
    robot for stuck. Where the parts are drawn that way, the pair belongs among the excludes.

Fix
    Move the parts, start from a pose that is free, or exclude the pair: `phyzctl exclude explain`
    shows which of these it is.

Exceptions
    Under 20 mm it is a warning: hulls invent some overlap.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Fix, Severity
from phyzctl.lint.context import Context

CODE = Code("C901", "parts-overlap", Severity.WARNING)
FORMATS = frozenset({"mjcf", "urdf"})
COST = "sweep"
TOLERANCES = {"overlap-depth": 0.01, "overlap-depth-error": 0.02}


def check(context: Context) -> Iterator[Finding]:
    """Overlaps of the start pose, of bodies that aren't neighbours."""
    report = context.pairs
    if report is None:
        return
    keyframes = report.model.keyframes
    start = (keyframes[0].name or "keyframe 0") if keyframes else None
    for facts in report.pairs:
        depth = facts.default_depth if start is None else facts.keyframes.get(start)
        if depth is None or not facts.pair.free or facts.pair.adjacent:
            continue
        if depth > context.tolerance("overlap-depth"):
            pose = "the reference pose" if start is None else f"keyframe {start!r}"
            message = f"overlaps {facts.first!r} by {1000.0 * depth:.3g} mm in {pose}"
            severe = depth > context.tolerance("overlap-depth-error")
            yield Finding(
                report.model.bodies[facts.pair.second].link,
                message,
                severity=Severity.ERROR if severe else None,
                fix=Fix(f"part them, or exclude the pair {facts.first!r}, {facts.second!r}"),
            )
