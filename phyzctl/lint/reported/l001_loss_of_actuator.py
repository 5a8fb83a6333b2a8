"""An actuator that the written format has no form for.

What it checks
    Actuators, and URDF's transmissions, of the robot that is converted.

Why it matters
    The joints of the written file are driven by nothing, or as its reader likes.

Fix
    URDF has no actuators: keep the MJCF as the source for simulation. For MJCF,
    `--actuators motor` or `position` makes one for each joint.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.LOSS_OF_ACTUATOR
REPORTED_BY = "writer"
