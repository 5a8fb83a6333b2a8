"""A compiler that repairs masses and tensors in silence.

What it checks
    In MJCF no `boundmass`, `boundinertia` or `balanceinertia` changes what an `<inertial>` states
    by more than 10 % (`repair-share`).

Why it matters
    The numbers in the file are not those that are simulated, and other readers of the file, which
    don't know these settings, simulate another robot.

Fix
    Correct the inertials that the message names; the settings are then not needed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.robot.elements import Inertial
from phyzctl.robot.mechanism import CompilerSettings
from phyzctl.tensor import symmetric_eigenvalues

CODE = Code("I133", "inertial-repaired", Severity.INFO)
FORMATS = frozenset({"mjcf"})
TOLERANCES = {"repair-share": 0.1}


def check(context: Context) -> Iterator[Finding]:
    """Inertials that the compiler changes."""
    settings, share = context.robot.settings, context.tolerance("repair-share")
    if settings.inertia_from_geom:
        return
    yield from fold(
        Finding(
            link, f"the compiler's {name} changes its inertial: simulated is not what is stated"
        )
        for link in context.robot.links
        if link.inertial is not None
        for name in _repairs(link.inertial, settings, share)
    )


def _repairs(inertial: Inertial, settings: CompilerSettings, share: float) -> Iterator[str]:
    mass = inertial.mass or 0.0
    if settings.bound_mass and settings.bound_mass > mass * (1.0 + share):
        yield "boundmass"
    if inertial.inertia is None or not all(map(math.isfinite, inertial.inertia)):
        return
    low, middle, high = symmetric_eigenvalues(*inertial.inertia)
    least = settings.bound_inertia or 0.0
    if least > 0.0 and least > low * (1.0 + share):
        yield "boundinertia"
    low, middle, high = (max(moment, least) for moment in (low, middle, high))
    mean = (low + middle + high) / 3.0
    if settings.balance_inertia and low + middle < high and high - low > share * mean:
        yield "balanceinertia"
