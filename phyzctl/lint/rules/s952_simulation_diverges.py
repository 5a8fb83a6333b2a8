"""The simulation runs away.

What it checks
    A run of `phyzctl simulate` or `phyzctl smoke` that comes to a number that is not finite, or
    beyond 1e10. The finding names the joint that ran away, the step, and the largest force on it.

Why it matters
    Whoever simulates the description gets numbers that mean nothing, or a silent reset.

Fix
    Look at the force that is named. Gains, stiffness and damping want a time step below 2 / ω of
    the mass that they act on: make the step smaller, the gain smaller, or the mass (armature)
    larger. A tiny mass or inertia beside a large one has the same effect.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.SIMULATION_DIVERGES
REPORTED_BY = "sim"
