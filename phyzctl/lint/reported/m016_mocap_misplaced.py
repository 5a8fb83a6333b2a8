"""A mocap body that is not fixed to the world.

What it checks
    A body with mocap="true" is a child of the world and has no joints.

Why it matters
    Such a body is put where motion capture says, so nothing else may move it. MuJoCo refuses the
    file.

Fix
    Move the body to the worldbody and remove its joints, or remove mocap.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.MOCAP_MISPLACED
FORMATS = frozenset({"mjcf"})
REPORTED_BY = "reader"
