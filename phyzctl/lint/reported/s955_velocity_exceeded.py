"""A joint moves faster than its velocity limit.

What it checks
    In a run of `phyzctl simulate` or `phyzctl smoke`: the speed of every joint that states a
    velocity limit, at every sample.

Why it matters
    No simulator enforces that limit, and a real motor can't follow.

Fix
    Drive the joint more gently, give it the damping that it has, or correct the limit.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.VELOCITY_EXCEEDED
REPORTED_BY = "sim"
