"""A free joint on a nested body.

What it checks
    In MJCF, a body with a free joint is a child of the world.

Why it matters
    A free joint states the body's pose in the world; MuJoCo refuses it anywhere else.

Fix
    Move the body to the world, or give it other joints.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.FREEJOINT_NESTED
FORMATS = frozenset({"mjcf"})
REPORTED_BY = "reader"
