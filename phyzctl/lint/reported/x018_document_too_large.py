"""A file that is larger than any robot.

What it checks
    A document has at most 64 MiB, 100,000 elements and 512 levels, its macros make no more, and its
    keyframes stand for at most ten million numbers.

Why it matters
    Beyond that a file is an accident or an attack; judging it would take all memory, or hours.

Fix
    Split the file, or move meshes that are written inline to files of their own.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.DOCUMENT_TOO_LARGE
REPORTED_BY = "reader"
