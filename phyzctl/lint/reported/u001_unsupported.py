"""Something that phyzctl understands but does not support.

What it checks
    Elements and settings that the format knows and that phyzctl reads past.

Why it matters
    The description may be right; what phyzctl computes from it leaves that part out.

Fix
    Nothing in the file is wrong. Keep in mind that results are without it.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.UNSUPPORTED
REPORTED_BY = "reader"
