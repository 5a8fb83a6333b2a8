"""An element that may stand once but stands there again.

What it checks
    A link has one `<inertial>`, a joint one `<limit>`, an `<origin>` is written once, a
    `<geometry>` holds one shape, and so on.

Why it matters
    Parsers disagree about which of them counts, the first or the last.

Fix
    Remove the one that isn't meant.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.ELEMENT_REPEATED
REPORTED_BY = "reader"
