"""Two keys of a scene or scenario that exclude each other.

What it checks
    Of keys that set the same thing in different ways, a table states one.

Why it matters
    Either could be meant.

Fix
    Take one of them out.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.KEYS_CLASH
REPORTED_BY = "reader"
