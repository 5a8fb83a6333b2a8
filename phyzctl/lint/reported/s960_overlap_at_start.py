"""Parts overlap where the run starts.

What it checks
    In `phyzctl smoke`: contacts deeper than 5 mm in the first state.

Why it matters
    The first steps throw the parts apart, with forces that come from the drawing and not from
    the task.

Fix
    Raise the start pose, shrink the shapes, or exclude the pair where it should never collide.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.OVERLAP_AT_START
REPORTED_BY = "sim"
