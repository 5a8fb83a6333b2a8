"""An actuator or transmission for a joint that doesn't exist.

What it checks
    Joints in `<transmission>` (a warning) and `<ros2_control>` of a URDF are defined; in MJCF, what
    an actuator pulls on: joint, tendon, site or body.

Why it matters
    The controller finds no joint of that name when the robot starts; MuJoCo refuses the file.

Fix
    Write the name of the joint as it is defined. Where one is a letter away, a fix offers it.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.lint.context import Context
from phyzctl.lint.names import defined, unknown_name

CODE = codes.ACTUATOR_JOINT_UNKNOWN


def check(context: Context) -> Iterator[Finding]:
    """Joints of `<ros2_control>`; the builder reports the rest."""
    document = context.document
    if context.dialect != "urdf" or document is None or document.root is None:
        return
    joints = defined(document.root, "joint")
    for system in document.root.findall("ros2_control"):
        for joint in system.findall("joint"):
            if joint.get("name") and joint.get("name") not in joints:
                yield unknown_name(joint, "name", joints, "joint")
