"""A servo that is hardly resolved by the time step.

What it checks
    The frequency of a joint under its servos, √(kp / inertia), times the time step is below 1
    (`servo-steps`) with Euler's integrator, or 2 with an implicit one.

Why it matters
    A period takes less than six steps: what comes out depends on the step more than on the robot,
    and little is missing until it explodes. Beyond that it is S950.

Fix
    Shorten the time step, lower kp, or state the armature of the motor, which real drives have.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import summed
from phyzctl.robot.checks.settings import timestep

CODE = Code("A721", "servo-fast", Severity.INFO)
FORMATS = frozenset({"mjcf"})
COST = "mesh"
TOLERANCES = {"servo-steps": 1.0}

_IMPLICIT = ("implicit", "implicitfast")


def check(context: Context) -> Iterator[Finding]:
    """Servos with few steps in a period."""
    summary = "the servo is so stiff that the time step hardly resolves it"
    yield from summed(_found(context), summary)


def _found(context: Context) -> Iterator[Finding]:
    dt, integrator = timestep(context.robot), context.robot.option.integrator
    most = context.tolerance("servo-steps") * (2.0 if integrator in _IMPLICIT else 1.0)
    for swing in context.swings:
        if swing.frequency * dt <= most or not context.is_stable(swing):
            continue
        message = (
            f"{swing.frequency:.4g} rad/s are {swing.frequency * dt:.2g} rad in a time step of "
            f"{dt:g} s, which hardly resolves it"
        )
        yield Finding(swing.servo, message)
