"""An exclude or a contact pair that names nothing.

What it checks
    The bodies of every `<exclude>` and the geoms of every `<pair>` are defined.

Why it matters
    MuJoCo refuses the file. Where it is accepted, the pair collides all the same.

Fix
    Correct the name; the nearest one is offered.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.CONTACT_NAME_UNKNOWN
FORMATS = frozenset({"mjcf", "srdf"})
REPORTED_BY = "builder"
