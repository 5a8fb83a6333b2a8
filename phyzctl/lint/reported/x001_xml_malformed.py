"""Text that is not well-formed XML.

What it checks
    Every tag is closed, attributes are quoted and written once, nothing stands before or behind
    the root element. What a lenient parser can mend is mended and reported as X016 instead.

Why it matters
    No parser reads beyond that place, so nothing else of the file can be checked.

Fix
    Mend the place that the message names; the cause may stand some lines above it.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.XML_MALFORMED
REPORTED_BY = "reader"
