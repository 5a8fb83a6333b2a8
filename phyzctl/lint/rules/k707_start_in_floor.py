"""A start pose in which the robot stands deep in the floor.

What it checks
    At its first keyframe, or else in its reference pose, nothing that moves is further below a
    plane of the world than 20 mm (`floor-depth`) and a fifth of its own thickness.

Why it matters
    The contact throws the robot into the air in the first step.

Fix
    Raise the robot in the keyframe, or the body that carries the free joint. Where it should lie
    on the floor, a millimetre or two of depth is what its weight needs.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context

CODE = Code("K707", "start-in-floor", Severity.INFO)
FORMATS = frozenset({"mjcf"})
COST = "mesh"
TOLERANCES = {"floor-depth": 0.02}  # [m]

_SHARE = 0.2  # of the part's thickness


def check(context: Context) -> Iterator[Finding]:
    """The geom that stands deepest in the floor."""
    least = context.tolerance("floor-depth")
    deep = [
        sunken
        for sunken in context.sunken
        if sunken.depth > least and sunken.depth > _SHARE * sunken.thickness
    ]
    if not deep:
        return
    worst = max(deep, key=lambda sunken: sunken.depth)
    others = len({sunken.body for sunken in deep} - {worst.body})
    pose = "first keyframe" if context.robot.keyframes else "reference pose"
    message = f"in the {pose} {worst.body!r} reaches {1000.0 * worst.depth:.3g} mm into the floor"
    if others:
        message += f", and {others} more of its bodies are in it"
    yield Finding(worst.geom.element, message, subject=f"link {worst.body!r}")
