"""Two obstacles, or two attached shapes, of a scene that share an id.

What it checks
    Every id of a scene is stated once.

Why it matters
    Exclusions and reports name things by their ids; with two of one name nobody knows which.

Fix
    Rename one of them.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.ID_TAKEN
REPORTED_BY = "reader"
