"""A comment that the written file doesn't have.

What it checks
    XML comments of the file and of those it includes.

Why it matters
    They are for people, and for programs that look for their own in them: phyzctl's
    `ignore[CODE]` is one.

Fix
    Keep the original as the source, or move what matters to the written file.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.LOSS_OF_COMMENT
REPORTED_BY = "writer"
