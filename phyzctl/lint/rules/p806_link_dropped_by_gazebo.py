"""A link that Gazebo leaves out or merges, and that something names.

What it checks
    A link that a joint moves has an `<inertial>` of at least 1e-6 kg, and plugins of `<gazebo>`
    elements name no link that a fixed joint merges with its parent.

Why it matters
    sdformat drops a moving link without mass together with all that hangs on it, and makes one
    body of links that fixed joints hold together. A plugin that asks for the merged link by its
    name does nothing, or stops the simulation.

Fix
    Give the moving link a mass. For a merged one, write
    `<gazebo reference="JOINT"><preserveFixedJoint>true</preserveFixedJoint></gazebo>`, or name the
    link that it is merged with.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.formats.xmltree import Node
from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.robot.checks.groups import driven_groups, group_mass, states_mass
from phyzctl.robot.elements import JointKind

CODE = Code("P806", "link-dropped-by-gazebo", Severity.WARNING)
FORMATS = frozenset({"urdf"})
TARGETS = frozenset({"gazebo"})

_LEAST = 1e-6  # [kg]
_NAMING = frozenset({"bodyname", "body_name", "link_name", "linkname"})
_KEEPING = frozenset({"preserveFixedJoint", "disableFixedJointLumping"})


def check(context: Context) -> Iterator[Finding]:
    """Links that are gone, and names that mean nothing any more."""
    yield from fold(_dropped(context))
    yield from fold(_merged_but_named(context))


def _dropped(context: Context) -> Iterator[Finding]:
    if not any(states_mass(link) for link in context.robot.links):
        return  # a model of kinematics only, which I104 tells of
    for group in driven_groups(context.robot):
        if group_mass(group) < _LEAST:
            message = "Gazebo leaves out a moving link without mass, with all that hangs on it"
            yield Finding(group[0], message, "name")


def _merged_but_named(context: Context) -> Iterator[Finding]:
    document = context.document
    if document is None or document.root is None:
        return
    merged = _merged_links(context, document.root)
    for gazebo in document.root.findall("gazebo"):
        for node in gazebo.iter():
            if node.tag.lower() in _NAMING and node.text in merged:
                message = f"names a link that Gazebo merges with {merged[node.text]!r}"
                subject = f"link {node.text!r}"
                yield Finding(node, f"{node.tag} {message}", subject=subject)


def _merged_links(context: Context, root: Node) -> dict[str, str]:
    """Links that fixed joints hold, and the link that each becomes a part of."""
    kept = {
        gazebo.get("reference")
        for gazebo in root.findall("gazebo")
        if any(child.tag in _KEEPING and child.text in ("true", "1") for child in gazebo.children)
    }
    fixed = [joint for joint in context.robot.joints if joint.kind is JointKind.FIXED]
    return {
        joint.child: joint.parent
        for joint in fixed
        if joint.name not in kept and joint.parent != "world"
    }
