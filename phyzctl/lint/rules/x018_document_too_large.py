"""A file that is larger than any robot.

What it checks
    A document has at most 64 MiB, 300,000 elements and 512 levels.

Why it matters
    Beyond that a file is an accident or an attack; reading it would take all memory.

Fix
    Split the file, or move meshes that are written inline to files of their own.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.DOCUMENT_TOO_LARGE
REPORTED_BY = "reader"
