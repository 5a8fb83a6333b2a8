"""A part of the tree that is said in another way.

What it checks
    Several joints on one body, anchors away from its origin, planar and ball joints.

Why it matters
    The motion is the same, but frames, links or coordinates are others.

Fix
    None is needed, unless something refers to the frames or coordinates by name.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.LOSS_OF_STRUCTURE
REPORTED_BY = "writer"
