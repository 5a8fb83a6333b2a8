"""Energy grows in a system that nothing drives.

What it checks
    `phyzctl smoke` lets the robot move for a second without motors, dampers, friction, limits
    and contacts. Its energy, weight and springs included, must stay; a rise by more than a
    tenth of what moves is told.

Why it matters
    The integrator adds energy: what the simulation shows comes in part from its time step.

Fix
    Shorten the time step, or choose `--integrator rk4` to see the difference.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.ENERGY_GROWS
REPORTED_BY = "sim"
