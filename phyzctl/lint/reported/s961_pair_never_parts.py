"""Two parts of the robot touch all the time.

What it checks
    In `phyzctl smoke`: pairs of the robot's own bodies that overlap in every state that is
    looked at.

Why it matters
    Such a pair rubs and costs time in every step, and says nothing of the task.

Fix
    Let `phyzctl exclude suggest` judge whether the pair can be excluded.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.PAIR_NEVER_PARTS
REPORTED_BY = "sim"
