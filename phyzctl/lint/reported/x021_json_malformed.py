"""A file that is meant to be JSON and is not.

What it checks
    A robot in JSON is well-formed: quotes, commas and brackets where they belong, no key twice in
    an object, no NaN or Infinity outside quotes.

Why it matters
    No program can read it, and nothing of the robot is known.

Fix
    Mend the place that is named. JSON allows no comments and no comma behind the last item; NaN
    and Infinity stand in quotes in a robot's JSON.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.JSON_MALFORMED
REPORTED_BY = "reader"
