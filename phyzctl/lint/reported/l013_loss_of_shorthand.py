"""A shorthand that is written out in full.

What it checks
    MJCF's default classes, includes, frames and macros, which reading resolves.

Why it matters
    The written file says the same at greater length, and is harder to edit by hand.

Fix
    None is needed: keep the original as the source.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.LOSS_OF_SHORTHAND
REPORTED_BY = "writer"
