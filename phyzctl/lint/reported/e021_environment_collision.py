"""The robot, or what it carries, touches an obstacle.

What it checks
    In the configuration, or on the way, that `phyzctl check` was given: the robot's shapes and
    attached shapes against the obstacles of the scene.

Why it matters
    A controller that is sent there runs the robot into it.

Fix
    Choose another configuration, or move the obstacle. Where a carried thing is meant to touch,
    name the pair in `exclusions`.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.ENVIRONMENT_COLLISION
REPORTED_BY = "scene"
