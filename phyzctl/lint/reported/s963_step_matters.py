"""Half the time step makes another run.

What it checks
    In `phyzctl smoke`: joints that end more than 0.02 rad or m apart when the same two seconds
    are run with half the step. The base is left out.

Why it matters
    What is seen depends on the step, not on the robot.

Fix
    Shorten the step until the difference is small enough for the purpose.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.STEP_MATTERS
REPORTED_BY = "sim"
