"""Energy grows in a system that nothing drives.

What it checks
    `phyzctl smoke`, or `validate --deep`, lets the robot move for a second without motors,
    dampers, friction, limits and contacts. Its energy, weight and springs included, must stay; a
    rise by more than a tenth of what moves is told.

Why it matters
    The integrator adds energy: what the simulation shows comes in part from its time step.

Fix
    Shorten the time step, or choose `--integrator rk4` to see the difference.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context

CODE = codes.ENERGY_GROWS
COST = "run"


def check(context: Context) -> Iterator[Finding]:
    """Energy that comes from the time step."""
    if context.free_run is not None:
        yield from context.free_run.energy()
