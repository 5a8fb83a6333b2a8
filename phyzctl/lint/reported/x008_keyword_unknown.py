"""A word that is none of those allowed there.

What it checks
    Attributes that take one of a list of words (`type`, `integrator`, `true` or `false`) have one
    of them.

Why it matters
    Parsers refuse the file or fall back to a default.

Fix
    Write one of the words that the message lists.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.KEYWORD_UNKNOWN
REPORTED_BY = "reader"
