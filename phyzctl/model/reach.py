"""How far a robot reaches: a bound from the lengths of its links."""

from __future__ import annotations

import math

from phyzctl.model.body import WORLD, Body
from phyzctl.model.compiled import CompiledModel
from phyzctl.model.joint import Joint, JointType
from phyzctl.spatial import Array

_TURNING = (JointType.HINGE, JointType.BALL)


def reach(model: CompiledModel) -> float:
    """The farthest [m] that any body's origin can get from that of the first body of its tree.

    Adds up link lengths and the travel of slides along each chain: what the robot reaches when
    stretched out. Limits of hinges, loops and collisions can only make it smaller. Infinite
    where a slide has no bounds.
    """
    reached: list[float] = []
    for body in model.bodies:
        joints = [model.joints[index] for index in body.joints]
        hangs = body.parent != WORLD
        reached.append(reached[body.parent] + _span(body, joints) if hangs else 0.0)
    return max(reached, default=0.0)


def _span(body: Body, joints: list[Joint]) -> float:
    """The farthest that a body's origin gets from its parent's."""
    anchors = {joint.anchor for joint in joints if joint.type in _TURNING}
    travel = sum(_travel(joint) for joint in joints if joint.type is JointType.SLIDE)
    p_PB = body.X_PB[:3, 3]
    if len(anchors) == 1:
        (anchor,) = anchors
        return _length(p_PB + body.X_PB[:3, :3] @ anchor) + _length(anchor) + travel
    return _length(p_PB) + 2 * sum(_length(anchor) for anchor in anchors) + travel


def _travel(joint: Joint) -> float:
    return max(abs(bound - joint.ref) for bound in joint.range)


def _length(vector: Array | tuple[float, ...]) -> float:
    return math.hypot(*map(float, vector))
