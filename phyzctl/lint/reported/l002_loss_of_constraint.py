"""A constraint that the written format has no form for.

What it checks
    Equalities and tendons: URDF knows only the joint that follows one other linearly.

Why it matters
    A loop that the constraint closed is open, and what it coupled moves by itself.

Fix
    None in URDF. Where one joint may follow another linearly, state that instead.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.LOSS_OF_CONSTRAINT
REPORTED_BY = "writer"
