"""Inertia on the root link, which KDL leaves out.

What it checks
    The root link of a URDF has no `<inertial>`.

Why it matters
    kdl_parser warns at every start that KDL doesn't support it, and dynamics computed with KDL
    lack the mass of the base. Gazebo needs the inertia where it is.

Fix
    Put an empty link before the root, joined to it by a fixed joint, if KDL's dynamics matter.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context

CODE = Code("P804", "root-with-inertia", Severity.INFO)
FORMATS = frozenset({"urdf"})
TARGETS = frozenset({"kdl"})


def check(context: Context) -> Iterator[Finding]:
    """A root link that weighs something."""
    for link in context.robot.links:
        if not context.robot.structure.inbound(link.name) and link.inertial is not None:
            yield Finding(link, "KDL leaves the inertia of the root link out", "inertial@")
