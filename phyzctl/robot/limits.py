"""How much of a robot is kept where little text stands for much memory."""

from __future__ import annotations

from dataclasses import replace

from phyzctl import codes
from phyzctl.issues import Issues
from phyzctl.robot.checks.keyframes import state_size
from phyzctl.robot.robot import Robot

MOST_KEYED = 10_000_000


def within_memory(robot: Robot, issues: Issues) -> Robot:
    """The robot with as many keyframes as its States may hold numbers; X018 for the others.

    A keyframe that states nothing still stands for the positions of all joints.
    """
    kept = MOST_KEYED // max(1, state_size(robot))
    if len(robot.keyframes) <= kept:
        return robot
    message = (
        f"{len(robot.keyframes)} keyframes of {state_size(robot)} numbers each are more than "
        f"{MOST_KEYED} numbers; those from here on are left out"
    )
    issues.add(codes.DOCUMENT_TOO_LARGE, message, source=robot.keyframes[kept].source)
    return replace(robot, keyframes=robot.keyframes[:kept])
