"""A table of way-points that is no motion of the robot.

What it checks
    Columns are `time` and joints that can move; without names, there is a column for each
    coordinate of q. Cells are finite numbers, rows are as long as the first, and time doesn't go
    back.

Why it matters
    A way that is not the one that will be driven tells nothing about it.

Fix
    Correct the names or the numbers at the line given.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.MOTION_UNUSABLE
REPORTED_BY = "reader"
