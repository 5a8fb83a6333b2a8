"""An attached shape on a link that the robot doesn't have.

What it checks
    `frame` names a link of the robot that is checked.

Why it matters
    Nobody can tell where the shape is.

Fix
    Name a link, or leave `frame` out for the base.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.FRAME_UNKNOWN
REPORTED_BY = "reader"
