"""A joint whose parent or child doesn't exist.

What it checks
    The links that a joint names are defined. A link that several joints name wrongly is reported
    once.

Why it matters
    The joint and all that hangs on it can't stand in the tree; parsers refuse the file.

Fix
    Write the name of the link as it is defined, or define the link.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.LINK_UNKNOWN
REPORTED_BY = "builder"
