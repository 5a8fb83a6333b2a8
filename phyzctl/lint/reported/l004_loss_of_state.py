"""A keyframe that the written format has no form for.

What it checks
    Keyframes of the robot that is converted.

Why it matters
    URDF has no states: the robot starts with every joint at zero.

Fix
    Keep start states beside the URDF, in an SRDF's `<group_state>` for example.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.LOSS_OF_STATE
REPORTED_BY = "writer"
