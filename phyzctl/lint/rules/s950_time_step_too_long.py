"""A time step that makes a servo unstable.

What it checks
    No joint under its servos grows by the integrator's own error: with Euler's,
    kp · dt² / inertia stays below 2 (1 + a), where a is what a step leaves of a free speed. The
    inertia is that of all the joint moves in the reference pose.

Why it matters
    The first touch makes the joint swing wider with every step until the simulation explodes,
    whatever the controller does.

Fix
    Shorten the time step, lower kp, or state the armature of the motor. The message says
    below which step the servo is resolved.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import summed
from phyzctl.robot.checks.settings import timestep

CODE = Code("S950", "time-step-too-long", Severity.WARNING)
FORMATS = frozenset({"mjcf"})
COST = "mesh"


def check(context: Context) -> Iterator[Finding]:
    """Servos that the integrator makes explode."""
    dt = timestep(context.robot)
    summary = f"the time step of {dt:g} s makes the joint unstable under its servo"
    yield from summed(_found(context, dt), summary)


def _found(context: Context, dt: float) -> Iterator[Finding]:
    for swing in context.swings:
        if dt > 0.0 and not context.is_stable(swing):
            message = (
                f"the time step of {dt:g} s makes joint {swing.joint.name!r} unstable: its servo "
                f"turns {swing.frequency * dt:.3g} rad in a step (stiffness {swing.stiffness:.4g}, "
                f"inertia {swing.inertia:.3g}); below {1.0 / swing.frequency:.2g} s it is resolved"
            )
            yield Finding(swing.servo, message)
