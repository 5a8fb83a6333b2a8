"""NaN or infinity where a finite number belongs.

What it checks
    Numbers are finite. Limits of effort, velocity and higher derivatives may be infinite
    (URDF 1.2).

Why it matters
    NaN spreads through every pose and force it touches; comparisons with it are false, so that
    range checks let it pass.

Fix
    Write the number that was meant; the tool that wrote the file divided by zero somewhere.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.NUMBER_NOT_FINITE
REPORTED_BY = "reader"
