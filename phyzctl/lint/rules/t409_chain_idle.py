"""A chain of frames that nothing uses.

What it checks
    No link of a URDF without mass and shapes hangs on another such one by a fixed joint, as the
    end of a chain, unless Gazebo, a sensor, a transmission or a plugin names it.

Why it matters
    Every such link is a body and a transform that each consumer carries along, and a name more
    that readers must understand.

Fix
    Remove what isn't needed. One frame at the end of a chain, such as a tool's, is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.robot.checks.groups import states_mass
from phyzctl.robot.elements import JointKind, Link

CODE = Code("T409", "chain-idle", Severity.INFO)
FORMATS = frozenset({"urdf"})
DEFAULT = False

_STRUCTURE = frozenset({"link", "joint", "parent", "child"})


def check(context: Context) -> Iterator[Finding]:
    """Frames on frames."""
    structure, used = context.robot.structure, set(_named_elsewhere(context))
    message = "a frame on a frame, and nothing uses it"
    yield from fold(
        Finding(link, message)
        for link in structure
        if not structure.children(link.name)
        and _is_idle(context, link)
        and (parent := structure.parent(link.name)) is not None
        and structure.parent(parent.name) is not None
        and _is_idle(context, parent)
        and used.isdisjoint({link.name, parent.name})
    )


def _is_idle(context: Context, link: Link) -> bool:
    joints = context.robot.structure.inbound(link.name)
    fixed = all(joint.kind is JointKind.FIXED for joint in joints)
    return fixed and not link.geoms and not states_mass(link)


def _named_elsewhere(context: Context) -> Iterator[str]:
    """Whatever is written outside of links and joints, a word or the value of an attribute."""
    for node in context.nodes():
        if node.tag not in _STRUCTURE:
            yield from node.attributes.values()
            yield from node.text.split()
