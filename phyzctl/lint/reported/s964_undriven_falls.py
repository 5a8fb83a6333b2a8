"""A joint that nothing drives falls while the others are held.

What it checks
    In `phyzctl smoke` of a robot with actuators: joints without actuator, tendon, equality or
    leader that move by more than 0.1 rad or m.

Why it matters
    The author of a wheel or a pendulum means it; elsewhere an actuator was forgotten.

Fix
    Give the joint an actuator, damping or friction, or leave it so.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.UNDRIVEN_FALLS
REPORTED_BY = "sim"
