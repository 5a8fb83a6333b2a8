"""A name that is used twice within its kind.

What it checks
    Names of links, of joints, of materials, and in MJCF of geoms, sites, actuators and all else
    that has a name, are unique within their kind.

Why it matters
    Whatever refers to the name can mean either. Most parsers refuse the file; some keep the last.

Fix
    Rename one of the two. phyzctl keeps the first and leaves the other out.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.NAME_DUPLICATE
REPORTED_BY = "builder"
