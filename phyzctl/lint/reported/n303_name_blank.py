"""A name that is empty or has blanks around it.

What it checks
    Names of links and joints are not empty and neither begin nor end with a blank.

Why it matters
    Some parsers trim names and some don't, so a reference matches here and not there.

Fix
    Remove the blanks, in references too.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.NAME_BLANK
REPORTED_BY = "builder"
