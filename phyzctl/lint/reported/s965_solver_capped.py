"""The solver of constraints runs out of iterations.

What it checks
    In `phyzctl simulate` and `phyzctl smoke`: steps in which constraints were not solved to the
    tolerance.

Why it matters
    The forces of these steps are not those that the description asks for.

Fix
    Raise `iterations` in `<option>`, if the file lowers it; look for masses, inertias or
    stiffnesses of very different size that are tied together.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.SOLVER_CAPPED
REPORTED_BY = "sim"
