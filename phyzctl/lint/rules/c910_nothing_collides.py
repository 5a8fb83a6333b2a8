"""A robot that falls for ever: no two geoms can collide.

What it checks
    In MJCF, where something hangs on a free joint and no `<pair>` is stated, the contype of some
    geom and the conaffinity of some geom have a bit in common.

Why it matters
    MuJoCo tests no pair at all. What is free falls through everything, without a word.

Fix
    Leave out contype and conaffinity, which are 1 by default, or give them a common bit.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.robot.checks.contact import nothing_collides

CODE = codes.NOTHING_COLLIDES
FORMATS = frozenset({"mjcf"})


def check(context: Context) -> Iterator[Finding]:
    """Masks that let nothing meet."""
    yield from nothing_collides(context.robot)
