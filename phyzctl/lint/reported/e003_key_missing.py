"""A key that a scene or scenario must have is missing.

What it checks
    Tables state every key that has no default.

Why it matters
    There is no value that would be right for everybody, so none is assumed.

Fix
    State it. The place given is that of the table.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.KEY_MISSING
REPORTED_BY = "reader"
