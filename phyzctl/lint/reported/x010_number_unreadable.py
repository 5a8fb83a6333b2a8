"""A number that can't be read, or the wrong count of them.

What it checks
    Numbers are decimals with a point, separated by blanks, as many as the attribute takes.

Why it matters
    Some parsers refuse the file, others read 0 or what stands before the bad character.

Fix
    Write the number. Commas between numbers become blanks with the offered fix.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.NUMBER_UNREADABLE
REPORTED_BY = "reader"
