"""Text where only elements count.

What it checks
    No characters but blanks stand between elements that take no text.

Why it matters
    It is a broken comment, a stray quote or half of a tag: something that was meant to count.

Fix
    Remove it, or make it a comment.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.TEXT_STRAY
REPORTED_BY = "reader"
