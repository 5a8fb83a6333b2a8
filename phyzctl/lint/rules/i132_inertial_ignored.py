"""An inertial that the compiler is told to ignore.

What it checks
    In MJCF with `<compiler inertiafromgeom="true">`, no body states `<inertial>`.

Why it matters
    Masses come from the geoms then, and what is written counts for nothing, without a word from
    MuJoCo. Measured values are easily lost that way.

Fix
    Write inertiafromgeom="auto", which weighs geoms only where no inertial is written; or remove
    the inertials.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.robot.checks.masses import inertial_ignored

CODE = codes.INERTIAL_IGNORED
FORMATS = frozenset({"mjcf"})


def check(context: Context) -> Iterator[Finding]:
    """Inertials that count for nothing."""
    yield from fold(inertial_ignored(context.robot))
