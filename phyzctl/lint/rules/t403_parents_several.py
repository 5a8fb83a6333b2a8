"""A link that hangs on two parents.

What it checks
    A link is the child of joints from one parent only, and in a URDF of one joint only.

Why it matters
    URDF is a tree. Some parsers refuse the file, urdfdom keeps one of the joints without a word.

Fix
    Remove one of the joints. Closed mechanisms are closed by a constraint: mimic in URDF,
    `<equality>` in MJCF, SDF.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding, Related
from phyzctl.lint.context import Context
from phyzctl.robot.subject import describe

CODE = codes.PARENTS_SEVERAL
REPORTED_BY = "builder"


def check(context: Context) -> Iterator[Finding]:
    """Joints in series, which only MJCF has; the builder reports links of several parents."""
    if context.dialect != "urdf":
        return
    for link in context.robot.links:
        first, *others = context.robot.structure.inbound(link.name) or (None,)
        for joint in others:
            message = f"link {link.name!r} already hangs on {joint.parent!r} by {describe(first)}"
            related = (Related("the first joint", first.source),) if first else ()
            yield Finding(joint, message, "child@link", related=related)
