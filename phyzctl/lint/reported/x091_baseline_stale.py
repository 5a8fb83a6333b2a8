"""An entry of a baseline that nothing matches any more.

What it checks
    Every finding that `--baseline FILE` states is still there, in a file that was checked for
    it, and as often as it is stated. An entry of a file that is gone matches nothing.

Why it matters
    The fault is gone, but the entry would hide the next one of its kind at the same element.

Fix
    Remove the entry, or write the baseline anew with `--write-baseline FILE`.
"""

from __future__ import annotations

from phyzctl.lint.baseline import BASELINE_STALE

CODE = BASELINE_STALE
REPORTED_BY = "baseline"
