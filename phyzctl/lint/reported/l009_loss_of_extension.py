"""An element of one format or tool that means nothing in the other.

What it checks
    What phyzctl keeps verbatim because it does not interpret it.

Why it matters
    Plugins, cameras, lights and tools' own elements are not in the written file.

Fix
    Add what the reader of the written file has in their place.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.LOSS_OF_EXTENSION
REPORTED_BY = "writer"
