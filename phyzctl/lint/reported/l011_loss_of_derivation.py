"""A mass that followed from shapes and is now a number.

What it checks
    Bodies whose mass and inertia MJCF computes from geoms or changes by its settings.

Why it matters
    The numbers are right, but no longer follow when a shape is changed.

Fix
    None is needed: keep the MJCF as the source, and convert again.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.LOSS_OF_DERIVATION
REPORTED_BY = "writer"
