"""The highest friction of a model, on a body of several shapes.

What it checks
    `Model.validate()`: the body material of highest friction, if that is 1 or more, is not on a
    body of several shapes.

Why it matters
    Of two materials that touch, the higher friction holds. So every shape of that body grips
    whatever it meets, also those that were meant to slide.

Fix
    Give the shapes that should grip a friction of their own, or split the body.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.MATERIAL_GRIPPY
REPORTED_BY = "model"
