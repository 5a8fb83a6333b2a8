"""A value of the wrong type in a scene or scenario.

What it checks
    Numbers are numbers, strings strings, lists as long as they should be.

Why it matters
    Reading `"0.1"` as 0.1 would be guessing, and one guess leads to another.

Fix
    Write a value of the type that the message names.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.VALUE_OF_WRONG_TYPE
REPORTED_BY = "reader"
