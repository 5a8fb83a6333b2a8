"""A primitive shape without extent.

What it checks
    Radius, length and the sides of boxes and ellipsoids are above zero.

Why it matters
    MuJoCo refuses the file, Drake ends the process at a negative side, and elsewhere contact
    with the shape goes wrong or is silently absent.

Fix
    Write the size in metres. A plate needs some thickness; where nothing should be there, remove
    the element.

Exceptions
    A warning where the shape is only drawn: a sphere of radius 0 is a common stand-in.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.robot.checks.shapes import size_not_positive

CODE = codes.SIZE_NOT_POSITIVE


def check(context: Context) -> Iterator[Finding]:
    """Sizes that are zero or negative."""
    yield from fold(size_not_positive(context.robot))
