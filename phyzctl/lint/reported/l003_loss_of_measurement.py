"""A site or sensor that the written format has no form for.

What it checks
    Sites and sensors of the robot that is converted.

Why it matters
    Frames that other tools look up by name, and measurements, are gone.

Fix
    For a frame, a massless link on a fixed joint says the same in both formats.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.LOSS_OF_MEASUREMENT
REPORTED_BY = "writer"
