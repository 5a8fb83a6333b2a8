"""An actuator or transmission for a joint that doesn't exist.

What it checks
    Joints in `<ros2_control>` and (a warning) in `<transmission>` of a URDF are defined; in MJCF,
    what an actuator pulls on: joint, tendon, site or body.

Why it matters
    The controller finds no joint of that name when the robot starts; MuJoCo refuses the file.

Fix
    Write the name of the joint as it is defined. Where one is a letter away, a fix offers it.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.formats.xmltree import Node
from phyzctl.issues import Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.names import Names

CODE = codes.ACTUATOR_JOINT_UNKNOWN


def check(context: Context) -> Iterator[Finding]:
    """Joints of `<ros2_control>`; the builder reports the rest."""
    document = context.document
    if context.dialect != "urdf" or document is None or document.root is None:
        return
    joints = Names(document.root, "joint")
    for system in document.root.findall("ros2_control"):
        yield from _unknown(system, joints, None)
        for transmission in system.findall("transmission"):
            yield from _unknown(transmission, joints, Severity.WARNING)


def _unknown(parent: Node, joints: Names, severity: Severity | None) -> Iterator[Finding]:
    for joint in parent.findall("joint"):
        name = joint.get("name")
        if name and name not in joints:
            yield joints.unknown(joint, "name", "joint", severity)
