"""A value of a joint that the written format can't say.

What it checks
    Limits, dynamics, calibration and safety of each joint against what the format has.

Why it matters
    MJCF has no velocity limit, URDF no armature or spring: the motion differs.

Fix
    None in the file. Carry the value where the reader of the file looks for it.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.LOSS_OF_JOINT_VALUE
REPORTED_BY = "writer"
