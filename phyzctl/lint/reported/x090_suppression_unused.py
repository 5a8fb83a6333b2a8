"""A suppressing comment that suppresses nothing.

What it checks
    Every `<!-- phyzctl: ignore[CODE] … -->` and `ignore-file[CODE]` names rules that exist and
    that would report something there.

Why it matters
    The fault is gone, but the comment would hide the next one of its kind.

Fix
    Remove the comment, or correct the code in it.
"""

from __future__ import annotations

from phyzctl.lint.suppress import SUPPRESSION_UNUSED

CODE = SUPPRESSION_UNUSED
REPORTED_BY = "engine"
