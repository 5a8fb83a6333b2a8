"""The simulation runs away.

What it checks
    A run of `phyzctl simulate` or `phyzctl smoke`, and with `--deep` a second without control from
    the keyframe `home`, else the first one, else the reference pose, comes to no number that is
    not finite or beyond 1e10; no joint is flung away, faster than 1e4 rad/s or m/s. The finding
    names the joint that ran away first, in which step, and the largest force on it or its speed.

Why it matters
    Whoever simulates the description gets numbers that mean nothing, or a silent reset.

Fix
    Look at the force that is named. Gains, stiffness and damping want a time step below 2 / ω of
    the mass that they act on: make the step smaller, the gain smaller, or the mass (armature)
    larger. A tiny mass or inertia beside a large one has the same effect.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context

CODE = codes.SIMULATION_DIVERGES
COST = "run"


def check(context: Context) -> Iterator[Finding]:
    """The joint that runs away within a second."""
    if context.free_run is not None and context.free_run.divergence is not None:
        yield context.free_run.divergence
