"""A setting of the simulation that the written format has no form for.

What it checks
    Time step, gravity, integrator and the like, and gravity compensation of bodies.

Why it matters
    URDF leaves these to its reader, who may choose otherwise.

Fix
    Give them to the simulator that reads the file.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.LOSS_OF_SETTING
REPORTED_BY = "writer"
