"""A joint presses against its limit while it is held.

What it checks
    In `phyzctl smoke`: joints that are at a limit, or past it, for more than half of the time.

Why it matters
    The limit carries what a motor should carry, or the pose lies outside the range.

Fix
    Move the pose or the limit.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.LIMIT_PRESSED
REPORTED_BY = "sim"
