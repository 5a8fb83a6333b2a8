"""A robot on legs or wheels that doesn't say whether its base is free.

What it checks
    A URDF whose links are called after legs or wheels has a root link `world`, or a floating or
    planar joint. Nothing is said of robots without mass.

Why it matters
    URDF has no word for a free base. MuJoCo and others weld the root to the world, so the robot
    hangs in the air; Gazebo and phyzctl set it free where it has mass, and Drake asks.

Fix
    None is needed where all consumers are told otherwise. To say it in the file, add a link
    `world` and a joint of type floating, or fixed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.robot.checks.masses import is_kinematic
from phyzctl.robot.elements import JointKind
from phyzctl.robot.robot import WORLD_LINK

CODE = Code("T408", "base-unclear", Severity.WARNING)
FORMATS = frozenset({"urdf"})
TARGETS = frozenset({"mujoco"})

_FREE = (JointKind.FLOATING, JointKind.PLANAR)
_ROLLS = re.compile(r"wheel(?!s?_?chair)", re.IGNORECASE)
_WALKS = re.compile(
    r"(?<![a-z])(leg|thigh|shank|calf|shin|knee|ankle|foot)(?![a-z])|(Leg|Thigh|Shank|Calf|Knee|Foot)",
)


def check(context: Context) -> Iterator[Finding]:
    """Mobile robots whose base may be free or not."""
    robot = context.robot
    if not robot.links or robot.structure.root.name == WORLD_LINK or is_kinematic(robot):
        return
    if any(joint.kind in _FREE for joint in robot.joints):
        return
    moved = [joint.child for joint in robot.joints if joint.kind is not JointKind.FIXED]
    for pattern, organ in ((_ROLLS, "wheels"), (_WALKS, "legs")):
        if any(pattern.search(name) for name in moved):
            message = (
                f"has {organ}, but nothing says whether its base {robot.structure.root.name!r} is "
                "free; MuJoCo welds it to the world"
            )
            yield Finding(robot, message)
            return
