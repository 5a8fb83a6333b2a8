"""A xacro without a robot.

What it checks
    A xacro that holds no link, joint or worldbody when it is expanded.

Why it matters
    It is a library of macros, which nothing can be said of: the files that include it are
    what is checked. Where folders are searched, files that others include are passed over.

Fix
    None is needed; check the file that includes it.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.XACRO_LIBRARY
REPORTED_BY = "reader"
