"""A revolute or prismatic joint without `<limit>`.

What it checks
    Every revolute and prismatic joint of a URDF has a `<limit>`. Mimic joints are no exception.

Why it matters
    URDF demands it: urdfdom and everything built on it (ROS, Pinocchio) refuse the whole file,
    while MuJoCo and Drake load the joint without any limit.

Fix
    Write `<limit lower="…" upper="…" effort="…" velocity="…"/>`, or make the joint continuous if
    it turns without end.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.robot.checks.joints import limit_missing

CODE = codes.LIMIT_MISSING
FORMATS = frozenset({"urdf"})


def check(context: Context) -> Iterator[Finding]:
    """Bounded joints without bounds."""
    yield from limit_missing(context.robot)
