"""An include that can't be read.

What it checks
    The file that `<include>` names exists, is well-formed and doesn't include itself.

Why it matters
    What it holds is missing from the model; MuJoCo refuses to load it.

Fix
    Correct the path, which is relative to the main file.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.INCLUDE_FAILED
REPORTED_BY = "reader"
