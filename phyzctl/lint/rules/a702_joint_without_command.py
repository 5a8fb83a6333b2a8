"""A joint that nothing commands, in a URDF that says how others are commanded.

What it checks
    Where `<transmission>`, `<ros2_control>` or a Gazebo plugin name some of the movable joints,
    they name all of them, mimic joints apart. One finding for the file.

Why it matters
    No controller can move the joint: it hangs loose in a simulation, and a trajectory for it is
    refused.

Fix
    Add the joint to `<ros2_control>`, or a `<transmission>` for it. A joint that is meant to be
    passive needs nothing; in `<ros2_control>` it can be stated with state interfaces alone.

Exceptions
    Nothing is said where one of the names is of no joint, which is A701.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.formats.xmltree import Node
from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.robot.elements import JointKind

CODE = Code("A702", "joint-without-command", Severity.INFO)
FORMATS = frozenset({"urdf"})

_DRIVEN = (JointKind.REVOLUTE, JointKind.CONTINUOUS, JointKind.PRISMATIC)
_SECTIONS = ("transmission", "ros2_control")


def check(context: Context) -> Iterator[Finding]:
    """Movable joints that are left out where others are named."""
    document = context.document
    if document is None or document.root is None:
        return
    commanded = set(_commanded(document.root))
    joints = [joint for joint in context.robot.joints if joint.kind in _DRIVEN]
    if not commanded <= {joint.name for joint in context.robot.joints}:
        return  # a name is wrong, A701: it may be that of the joint that seems to be left out
    if not any(joint.name in commanded for joint in joints):
        return
    named = commanded | set(_in_plugins(document.root))
    message = "no transmission and no <ros2_control> names it, while they name other joints"
    yield from fold(
        Finding(joint, message)
        for joint in joints
        if joint.name not in named and joint.mimic is None
    )


def _commanded(root: Node) -> Iterator[str]:
    for section in root.children:
        if section.tag in _SECTIONS:
            for joint in section.iter():
                name = joint.get("name")
                if joint.tag == "joint" and name:
                    yield name


def _in_plugins(root: Node) -> Iterator[str]:
    """Whatever a Gazebo plugin writes as text: wheels of a drive, followers of a mimic."""
    for gazebo in root.findall("gazebo"):
        for node in gazebo.iter():
            yield from (node.text or "").split()
