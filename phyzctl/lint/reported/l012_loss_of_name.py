"""A name that is left out, or one that had to be made up.

What it checks
    Names that the written format wants where there are none, or wants to be unique.

Why it matters
    What refers to the element by its name doesn't find it, or finds a made-up one.

Fix
    Name every link and joint, and no two geoms alike, in the file that is converted.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.LOSS_OF_NAME
REPORTED_BY = "writer"
