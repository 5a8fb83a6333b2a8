"""An empty root link, which Isaac Sim takes for the base.

What it checks
    The root link of a URDF has an inertial, or a visual or collision.

Why it matters
    Isaac's importer makes the root link the articulation's base. An empty one gets a mass of its
    own, or takes the fixed base away from the link that is meant, and with
    "merge fixed joints" its name is that of what it is merged with.

Fix
    Begin the file with the link that has mass; or tell the importer which link is the base.

Exceptions
    A root that is called `world`.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.robot.robot import WORLD_LINK

CODE = Code("P805", "root-empty", Severity.INFO)
FORMATS = frozenset({"urdf"})
TARGETS = frozenset({"isaac"})


def check(context: Context) -> Iterator[Finding]:
    """A root link without mass and shapes."""
    for link in context.robot.links:
        if link.name == WORLD_LINK or context.robot.structure.inbound(link.name):
            continue
        if link.inertial is None and not link.geoms:
            yield Finding(link, "the root link is empty, and Isaac makes it the base", "name")
