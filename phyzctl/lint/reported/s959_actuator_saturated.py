"""An actuator is at the end of its range while it holds.

What it checks
    In `phyzctl smoke`: controls at the end of ctrlrange, and joints whose motors give all that
    their force range allows, for more than a fifth of the time.

Why it matters
    A motor at its end controls nothing.

Fix
    Compare the range with the motor's data sheet, and the masses with the scales.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.ACTUATOR_SATURATED
REPORTED_BY = "sim"
