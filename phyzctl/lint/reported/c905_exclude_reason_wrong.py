"""A reason in an SRDF that the robot contradicts.

What it checks
    `phyzctl exclude lint`: a pair disabled as Adjacent has nothing between it, one as Default
    overlaps in the reference pose, one as Always in nearly every sample, one as Never in none.

Why it matters
    "Never" was often found by too few samples, or for an older robot. The planner then goes
    through what it believes can't be touched.

Fix
    Correct the reason, or remove the pair; `phyzctl exclude suggest --srdf FILE --write` does.
"""

from __future__ import annotations

from phyzctl.exclude.codes import EXCLUDE_REASON_WRONG

CODE = EXCLUDE_REASON_WRONG
FORMATS = frozenset({"srdf"})
REPORTED_BY = "exclude"
