"""An equality doesn't hold.

What it checks
    At the end of `phyzctl smoke`: equality constraints that miss by more than 1 mm or 0.01 rad.

Why it matters
    The loop that it should close stays open: the mechanism moves otherwise than the real one.

Fix
    Check the anchors; make solref faster or solimp stiffer.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.EQUALITY_OPEN
REPORTED_BY = "sim"
