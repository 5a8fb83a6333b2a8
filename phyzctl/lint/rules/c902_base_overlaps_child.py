"""A fixed base that overlaps the body that moves on it.

What it checks
    In MJCF, a body that is fixed to the world doesn't overlap its child in the reference pose.

Why it matters
    MuJoCo leaves out contacts between parent and child, but not where the parent is fixed to the
    world. The first joint of an arm then fights its own base at every step.

Fix
    Exclude the pair; `phyzctl exclude suggest --write` does.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Fix, Severity
from phyzctl.lint.context import Context

CODE = Code("C902", "base-overlaps-child", Severity.WARNING)
FORMATS = frozenset({"mjcf"})
COST = "sweep"


def check(context: Context) -> Iterator[Finding]:
    """Overlaps of neighbours that no filter takes out."""
    report = context.pairs
    if report is None:
        return
    for facts in report.pairs:
        depth, pair = facts.default_depth, facts.pair
        if depth is None or not pair.free or not pair.adjacent or len(pair.joints) != 1:
            continue
        message = (
            f"overlaps {facts.first!r}, on which it moves, by {1000.0 * depth:.3g} mm, and MuJoCo "
            "tests them since the latter is fixed to the world"
        )
        fix = Fix(f"exclude the pair {facts.first!r}, {facts.second!r}")
        yield Finding(report.model.bodies[pair.second].link, message, fix=fix)
