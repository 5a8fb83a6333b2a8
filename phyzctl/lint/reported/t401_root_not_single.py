"""A robot with several roots, or with none.

What it checks
    All links but one hang on another by a joint; a robot has at least one link.

Why it matters
    URDF is one tree. urdfdom refuses the file; others drop the smaller trees.

Fix
    Join the link to the robot, by a fixed joint if it doesn't move, or remove it. phyzctl keeps
    the largest tree and leaves the others out.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.ROOT_NOT_SINGLE
FORMATS = frozenset({"urdf"})
REPORTED_BY = "builder"
