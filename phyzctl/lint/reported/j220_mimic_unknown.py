"""A mimic joint that follows a joint which doesn't exist.

What it checks
    The joint that `<mimic joint="…">` names is defined. Reported while the robot is built; the
    mimic is then left out.

Why it matters
    Consumers refuse the file or drop the coupling with a line on the console, so the finger
    hangs loose.

Fix
    Write the name of the leading joint as it is defined.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.MIMIC_UNKNOWN
REPORTED_BY = "builder"
