"""An element or attribute whose name is almost a known one.

What it checks
    Names that the format doesn't know and that are a slip of one or two letters, or of case, away
    from one that it knows there: `colision`, `uper`.

Why it matters
    Most parsers skip names they don't know without a word, so what stands there is lost: a link
    without collision, a limit of 0.

Fix
    Write the known name, which the message offers.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.NAME_NEAR_MISS
REPORTED_BY = "reader"
