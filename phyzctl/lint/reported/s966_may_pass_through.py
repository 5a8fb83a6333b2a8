"""Something moves so fast that one step may take it through what it should hit.

What it checks
    In `phyzctl simulate` and `phyzctl smoke`: geoms that cover in one step, where a degree of
    freedom is fastest, more than a quarter of their own half thickness and that of the thinnest
    geom of another tree that they may touch.

Why it matters
    Contacts are looked for where a step begins. What is thin and fast can be on the other side by
    the next, and nothing holds it.

Fix
    Make the time step shorter, or the shapes thicker; see that nothing drives the part as fast.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.MAY_PASS_THROUGH
REPORTED_BY = "sim"
