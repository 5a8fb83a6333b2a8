"""A document type with entities.

What it checks
    The file declares no document type and no entities.

Why it matters
    Entities can read other files or expand to gigabytes, so phyzctl does not expand them; robot
    formats have no use for them.

Fix
    Remove the `<!DOCTYPE …>` and write out what its entities stood for.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.DOCTYPE_REFUSED
REPORTED_BY = "reader"
