"""An element or attribute that no known consumer reads.

What it checks
    Names that neither the format nor a known extension of it has, and that resemble none.

Why it matters
    It is kept, but has no effect anywhere that phyzctl knows of.

Fix
    Remove it, or suppress the rule where a tool of your own reads it.

Exceptions
    Off by default for URDF, which many tools extend; `--pedantic` turns it on. In MJCF unknown
    names are errors, since MuJoCo refuses them.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.ELEMENT_UNKNOWN
REPORTED_BY = "reader"
DEFAULT = False
