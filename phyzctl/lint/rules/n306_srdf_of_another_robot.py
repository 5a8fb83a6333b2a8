"""An SRDF that is for a robot of another name.

What it checks
    The name of an SRDF's `<robot>` is that of the URDF it is validated with.

Why it matters
    MoveIt complains at every start that the semantic description is not for the same robot, and a
    wrong file is easily taken for the right one.

Fix
    Write the same name in both.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Related, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.semantics import semantics_of

CODE = Code("N306", "srdf-of-another-robot", Severity.WARNING)
FORMATS = frozenset({"srdf"})


def check(context: Context) -> Iterator[Finding]:
    """Names of SRDF and URDF that differ."""
    semantics, robot = semantics_of(context), context.reading.robot
    if semantics is None or robot is None or semantics.root.get("name") == robot.name:
        return
    message = f"is for robot {semantics.root.get('name')!r}, the URDF is of {robot.name!r}"
    related = (Related("the URDF", robot.source),)
    yield Finding(semantics.root, message, "name", subject="srdf", related=related)
