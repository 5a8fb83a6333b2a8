"""A group state that the robot can't take.

What it checks
    Every `<group_state>` of an SRDF puts joints that exist, and are not fixed, at values within
    their limits, but for 0.0001 and 0.1 % of the range, which is rounding.

Why it matters
    MoveIt refuses a goal outside of limits, or clamps it in silence: the robot never reaches the
    pose by the name of which people and programs send it there.

Fix
    Write a value inside the limits; the name as the URDF has it.

Exceptions
    Mimic joints, which follow others, and the pose of a free base in seven numbers. A joint that
    is fixed is a warning.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from phyzctl.formats.xmltree import Node
from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.semantics import Semantics, semantics_of, subject_of
from phyzctl.lint.servos import range_of
from phyzctl.robot.elements import JointKind
from phyzctl.robot.robot import Robot

CODE = Code("K708", "group-state-impossible", Severity.ERROR)
FORMATS = frozenset({"srdf"})

_SLACK = 1e-4  # [rad or m] rounding of what was printed
_POSE = 7  # numbers: where the base is, which Pinocchio writes as that of a `root_joint`
_SHARE = 1e-3  # of the range: the same


def check(context: Context) -> Iterator[Finding]:
    """Joints that states name wrongly, or put where they can't be."""
    semantics, robot = semantics_of(context), context.reading.robot
    if semantics is None or robot is None:
        return
    for state in semantics.root.findall("group_state"):
        for joint in state.findall("joint"):
            yield from _judged(semantics, robot, joint)


def _judged(semantics: Semantics, robot: Robot, node: Node) -> Iterator[Finding]:
    name = node.get("name") or ""
    if not robot.structure.has_joint(name):
        if len((node.get("value") or "").split()) == _POSE:
            return
        yield from semantics.unknown(node, "name", "joint")
        return
    joint, subject = robot.structure.joint(name), subject_of(node)
    if joint.kind is JointKind.FIXED:
        message = f"joint {name!r} is fixed, it has no value"
        yield Finding(node, message, "name", subject=subject, severity=Severity.WARNING)
        return
    value, bounds = _number(node.get("value")), range_of(joint)
    if value is None or bounds is None or joint.mimic is not None:
        return
    excess = max(bounds[0] - value, value - bounds[1])
    if excess > max(_SLACK, _SHARE * (bounds[1] - bounds[0])):
        message = (
            f"joint {name!r} is put at {value:g}, {excess:.3g} outside its limits "
            f"{bounds[0]:g} to {bounds[1]:g}"
        )
        yield Finding(node, message, "value", subject=subject)


def _number(text: str | None) -> float | None:
    """The one number of a joint of one freedom; what can't be read is the reader's to report."""
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if math.isfinite(value) else None
