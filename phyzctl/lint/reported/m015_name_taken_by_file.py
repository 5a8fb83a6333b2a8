"""A name that two files of one model give.

What it checks
    What an MJCF file includes gives no body, joint, asset, class or anything else a name that
    another of its files has given to one of the same kind.

Why it matters
    MuJoCo refuses the model, and names neither file. Two robots that both call a material `black`
    can't be included side by side.

Fix
    Rename one of the two, or attach the models with a prefix in place of including them.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.NAME_TAKEN_BY_FILE
FORMATS = frozenset({"mjcf"})
REPORTED_BY = "builder"
