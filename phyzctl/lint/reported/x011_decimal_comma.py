"""A decimal comma.

What it checks
    No number has a comma where its point should be: `1,5`.

Why it matters
    Most parsers refuse it; Drake reads `-1,5` as -1. It comes from exporters that run under a
    German or French locale.

Fix
    Write a point. The whole file may need it.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.DECIMAL_COMMA
REPORTED_BY = "reader"
