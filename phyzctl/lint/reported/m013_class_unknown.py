"""A default class that is not defined.

What it checks
    Every class and childclass of an MJCF file is defined in `<default>`.

Why it matters
    MuJoCo refuses the file. A fragment that is meant to be included often lacks the classes of
    the file that includes it.

Fix
    Correct the name; the nearest one is offered.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.CLASS_UNKNOWN
FORMATS = frozenset({"mjcf"})
REPORTED_BY = "reader"
