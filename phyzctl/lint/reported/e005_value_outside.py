"""A value in a scene or scenario that makes no sense.

What it checks
    Numbers are finite and within the range that has a meaning; words are among the known ones.

Why it matters
    Nothing can be computed from a negative size or a contact beside its face.

Fix
    Choose a value within the range that the message states.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.VALUE_OUTSIDE
REPORTED_BY = "reader"
