"""A mesh or other file that is not there.

What it checks
    Every file that the description names exists, with just that spelling.

Why it matters
    The part has no shape: it isn't drawn, or the file is refused. A spelling that differs in
    letter case, or has backslashes, works on the author's machine and nowhere else.

Fix
    Correct the path; it is relative to the file, or to meshdir in MJCF. Where only the spelling
    differs, the offered fix writes the real one.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.FILE_MISSING
REPORTED_BY = "reader"
