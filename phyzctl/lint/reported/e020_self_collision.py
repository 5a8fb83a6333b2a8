"""The robot, or what it carries, touches itself.

What it checks
    In the configuration, or on the way, that `phyzctl check` was given: pairs of the robot's
    shapes that may collide, attached shapes against the robot's, and those on different frames
    against each other.

Why it matters
    A controller that is sent there runs the robot into itself.

Fix
    Choose another configuration. Where the contact is meant, such as that of a grasped thing with
    the gripper, name the links in `touch_links` or the pair in `exclusions`; where shapes overlap
    because of how they were drawn, exclude the pair in the robot (`phyzctl exclude suggest`).
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.SELF_COLLISION
REPORTED_BY = "scene"
