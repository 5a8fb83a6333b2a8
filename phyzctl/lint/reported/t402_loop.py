"""Links that form a loop.

What it checks
    Following the parents from any link ends at the root; no joint has one link as both parent and
    child.

Why it matters
    A tree has no loops: many parsers never return from such a file.

Fix
    Cut the loop at one joint. Closed mechanisms are closed by a constraint: mimic in URDF,
    `<equality>` in MJCF, SDF.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.LOOP
REPORTED_BY = "builder"
