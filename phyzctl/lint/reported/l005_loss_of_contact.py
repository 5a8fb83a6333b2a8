"""Something about contact that the written format can't say.

What it checks
    Excluded and explicit pairs, masks, and the friction and softness of surfaces.

Why it matters
    Other pairs may touch than before, and they slide or yield differently.

Fix
    URDF leaves pairs to SRDF: `phyzctl exclude suggest` writes one.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.LOSS_OF_CONTACT
REPORTED_BY = "writer"
