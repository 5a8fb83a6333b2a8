"""A pair of bodies that overlaps wherever they are.

What it checks
    Of 1000 configurations within the joint limits, less than 95 % let two bodies overlap that
    are tested against each other. Meshes count as their convex hulls.

Why it matters
    Such an overlap is drawn and means nothing, but costs a contact in every step.

Fix
    Exclude the pair; `phyzctl exclude suggest` lists them all with the evidence.

Exceptions
    What overlaps a fixed base is C902, a deep overlap in the start pose C901.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.exclude.codes import PAIR_ALWAYS_TOUCHES
from phyzctl.issues import Finding, Fix
from phyzctl.lint.context import Context

CODE = PAIR_ALWAYS_TOUCHES
FORMATS = frozenset({"mjcf", "urdf"})
COST = "sweep"
TOLERANCES = {"always-share": 0.95}


def check(context: Context) -> Iterator[Finding]:
    """Pairs that overlap in nearly every sample, and that no other rule tells of."""
    report = context.pairs
    if report is None:
        return
    for facts in report.pairs:
        depth, pair = facts.default_depth, facts.pair
        told = depth is not None and (pair.adjacent or depth > context.tolerance("overlap-depth"))
        if not pair.free or told or facts.share < context.tolerance("always-share"):
            continue
        message = f"overlaps {facts.first!r} in {facts.hits} of {facts.samples} configurations"
        fix = Fix(f"exclude the pair {facts.first!r}, {facts.second!r}")
        yield Finding(report.model.bodies[pair.second].link, message, fix=fix)
