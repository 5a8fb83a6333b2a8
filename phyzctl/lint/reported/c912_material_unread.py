"""A contact material on a body that nothing can touch.

What it checks
    `Model.validate()`: a body that was given a material has a geom that collides.

Why it matters
    The material has no effect. Most often it was meant for the body beside it.

Fix
    Give the material to the body that has the geometry.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.MATERIAL_UNREAD
REPORTED_BY = "model"
