"""A version of the format that doesn't exist.

What it checks
    The `version` of a URDF is 1.0, 1.1 or 1.2.

Why it matters
    urdfdom refuses a version it doesn't know. A project's own version number doesn't belong there.

Fix
    Write the version of URDF that the file uses, or leave the attribute out, which means 1.0.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.VERSION_UNKNOWN
FORMATS = frozenset({"urdf"})
REPORTED_BY = "reader"
