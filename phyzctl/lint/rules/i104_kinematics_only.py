"""A robot that moves and has no mass anywhere.

What it checks
    A URDF with movable joints states a mass above zero on some link. One finding for the file.

Why it matters
    Such a model serves planning and drawing, and can't be simulated. A third of all published
    URDFs is like that, by intent.

Fix
    None is needed for kinematics. For dynamics, state `<inertial>` for every moving part.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.robot.checks.masses import kinematics_only

CODE = codes.KINEMATICS_ONLY
FORMATS = frozenset({"urdf"})


def check(context: Context) -> Iterator[Finding]:
    """No mass anywhere."""
    yield from kinematics_only(context.robot)
