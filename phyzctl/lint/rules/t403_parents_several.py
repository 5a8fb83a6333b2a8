"""A link that hangs on two parents.

What it checks
    A link is the child of joints from one parent only.

Why it matters
    URDF is a tree. Some parsers refuse the file, urdfdom keeps one of the joints without a word.

Fix
    Remove one of the joints. Closed mechanisms are closed by a constraint: mimic in URDF,
    `<equality>` in MJCF, SDF.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.PARENTS_SEVERAL
REPORTED_BY = "builder"
