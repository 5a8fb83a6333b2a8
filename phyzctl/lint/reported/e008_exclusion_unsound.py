"""An exclusion of a scene that names what isn't there, or a shape against itself.

What it checks
    The ids of an exclusion are assigned and stand in the scene; its two sides differ; robot shapes
    and links, those of `touch_links` included, are ones that the robot has.

Why it matters
    An exclusion that fits nothing excludes nothing: the contact that it was meant for is reported,
    or another thing of that name is let pass later on.

Fix
    Correct the name, or take the exclusion out together with what it was for.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.EXCLUSION_UNSOUND
REPORTED_BY = "reader"
