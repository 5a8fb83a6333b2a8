"""A link and a joint of the same name.

What it checks
    No joint of a URDF has the name of a link.

Why it matters
    URDF allows it, but converters that put both into one name space (USD, SDF frames) rename one
    of them or refuse the file.

Fix
    Give joints a suffix of their own, such as `_joint`.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Related, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold

CODE = Code("N302", "link-and-joint-alike", Severity.INFO)
RAISED = {"gazebo": Severity.WARNING, "usd": Severity.WARNING}
FORMATS = frozenset({"urdf"})


def check(context: Context) -> Iterator[Finding]:
    """Joints that are called like a link."""
    yield from fold(_alike(context))


def _alike(context: Context) -> Iterator[Finding]:
    structure = context.robot.structure
    for joint in context.robot.joints:
        if structure.has_link(joint.name):
            related = (Related("the link", structure.link(joint.name).source),)
            yield Finding(joint, "a link has the same name", "name", related=related)
