"""A key that a scene or scenario doesn't know.

What it checks
    Every key of a scene or scenario is one that its schema lists (`phyzctl schema`).

Why it matters
    It is mostly a typing mistake, and the default would be taken in silence for what it sets.

Fix
    Correct the name, or take the key out.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.KEY_UNKNOWN
REPORTED_BY = "reader"
