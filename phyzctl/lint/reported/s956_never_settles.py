"""The robot doesn't come to rest while it is held.

What it checks
    After the two seconds of `phyzctl smoke`: joints that still move faster than a thousandth of
    a rad/s or m/s, the fastest one by name.

Why it matters
    A pose that its own servos don't hold still buzzes, drifts or falls.

Fix
    Look at the gains and the damping of the joint that is named; a robot that has nothing to
    hold it with may well fall.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.NEVER_SETTLES
REPORTED_BY = "sim"
