"""Travel or an offset that looks like millimetres.

What it checks
    A prismatic joint of a URDF travels at most 5 m or three times the robot's size, whichever is
    more; no joint but those on the root link stands more than 5 m from its parent.

Why it matters
    URDF measures in metres. A part drawn in millimetres puts the next link a kilometre away, and
    only a picture shows it.

Fix
    Write metres. The offered fix divides by 1000.

Exceptions
    Cranes, gantries and the like: suppress the rule there, or raise `length-plausible`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from phyzctl.issues import Code, Finding, Fix, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.edits import numbers, set_attribute
from phyzctl.robot.elements import Joint, JointKind
from phyzctl.robot.robot import Robot

CODE = Code("J209", "length-in-millimetres", Severity.WARNING)
FORMATS = frozenset({"urdf"})
TOLERANCES = {"length-plausible": 5.0}  # [m]

_MILLI = 1e-3
_TIMES_SIZE = 3.0


def check(context: Context) -> Iterator[Finding]:
    """Lengths that no robot has."""
    plausible = context.tolerance("length-plausible")
    reach = _reach(context.robot, plausible)
    world = _world(context.robot)
    for joint in context.robot.joints:
        offset = math.hypot(*(joint.xyz or (0.0,)))
        if offset > plausible and joint.parent != world:
            message = f"stands {offset:g} m from its parent; {offset:g} mm would be plausible"
            fix = _fix(context, joint, "origin", {"xyz": joint.xyz or ()})
            yield Finding(joint, message, "origin@xyz", fix=fix)
        travel = _travel(joint)
        if travel > max(plausible, _TIMES_SIZE * reach):
            bounds = {"lower": joint.limit.lower, "upper": joint.limit.upper}
            written = {name: (value,) for name, value in bounds.items() if value}
            name = max(written, key=lambda name: abs(written[name][0]))
            message = f"travels {travel:g} m; {travel:g} mm would be plausible"
            fix = _fix(context, joint, "limit", written)
            yield Finding(joint, message, f"limit@{name}", fix=fix)


def _world(robot: Robot) -> str | None:
    """The root, where it only says where the robot stands: a frame without mass and shapes."""
    if not robot.links:
        return None
    root = robot.structure.root
    return root.name if root.inertial is None and not root.geoms else None


def _travel(joint: Joint) -> float:
    if joint.kind is not JointKind.PRISMATIC:
        return 0.0
    travel = (joint.limit.upper or 0.0) - (joint.limit.lower or 0.0)
    return travel if math.isfinite(travel) else 0.0


def _reach(robot: Robot, plausible: float) -> float:
    """The longest chain of joint offsets [m]; implausible offsets are not counted."""
    reach: dict[str, float] = {}
    for link in robot:
        for joint in robot.structure.inbound(link.name):
            offset = math.hypot(*(joint.xyz or (0.0,)))
            step = offset if offset <= plausible else 0.0
            reach[link.name] = max(reach.get(link.name, 0.0), reach.get(joint.parent, 0.0) + step)
    return max(reach.values(), default=0.0)


def _fix(
    context: Context, joint: Joint, tag: str, lengths: Mapping[str, tuple[float, ...]]
) -> Fix | None:
    node = context.node(joint)
    child = node.find(tag) if node else None
    if child is None:
        return None
    edits = [
        set_attribute(child, name, numbers(value * _MILLI for value in values))
        for name, values in lengths.items()
    ]
    return child.document.fix("write metres", *edits)
