"""Bytes that are not in the encoding of the file.

What it checks
    The file is UTF-8, or in the encoding that its first line declares.

Why it matters
    Parsers stop at the first such byte; others show wrong letters in names.

Fix
    Save the file as UTF-8.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.ENCODING_WRONG
REPORTED_BY = "reader"
