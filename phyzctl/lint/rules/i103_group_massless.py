"""A part that moves and has no mass.

What it checks
    In a URDF of which some links have mass, every group of links that a joint moves has mass.
    Links welded together by fixed joints are one group, so frames without mass are fine.

Why it matters
    Forces move a part without mass infinitely fast, and the equations of motion can't be solved.
    MuJoCo refuses the file; sdformat drops the link and all joints on it.

Fix
    State `<inertial>` for the link. If it is only a frame, weld it with a fixed joint.

Exceptions
    A warning where something with mass hangs below it, as in a ball joint made of three hinges,
    or where its joint mimics one that moves a mass: that can be solved, though MuJoCo refuses it
    all the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.robot.checks.masses import group_massless

CODE = codes.GROUP_MASSLESS
FORMATS = frozenset({"urdf"})


def check(context: Context) -> Iterator[Finding]:
    """Moving groups without mass."""
    yield from fold(group_massless(context.robot))
