"""A required attribute or element that is missing.

What it checks
    All that the format demands is written: the six entries of an inertia, the value of a mass,
    the type of a joint, its parent and child, and so on.

Why it matters
    Parsers refuse the file or fill in a value of their own, often 0.

Fix
    Write what is missing. Where 0 is what most parsers take, that is offered as a fix.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.REQUIRED_MISSING
REPORTED_BY = "reader"
