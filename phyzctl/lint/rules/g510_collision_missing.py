"""A moving part that is drawn but touches nothing.

What it checks
    A robot of which three links or more are drawn collides somewhere; if it does, so do the
    parts at the ends of its chains: fingers, feet, wheels, tools.

Why it matters
    Things pass through such a part, a foot sinks into the ground, and a planner moves it through
    the table. It is a warning where no part of the robot collides at all.

Fix
    Add collisions: a primitive around the part, or the visual's mesh.

Exceptions
    Parts between others, covers that are fixed to a part that collides, and rods that a
    constraint closes into a loop. In MJCF, files that state contact pairs choose for themselves.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.robot.checks.groups import Group, from_here_on, moving_groups
from phyzctl.robot.elements import JointKind

CODE = Code("G510", "collision-missing", Severity.INFO)
FORMATS = frozenset({"urdf", "mjcf"})

_SEVERAL = 3  # fewer drawn links are an example rather than a robot


def check(context: Context) -> Iterator[Finding]:
    """Drawn parts without collision."""
    robot = context.robot
    if robot.pairs or not any(joint.kind is not JointKind.FIXED for joint in robot.joints):
        return
    drawn = [link for link in robot.links if link.visuals]
    if any(link.collisions for link in robot.links):
        yield from fold(_bare_ends(context))
    elif len(drawn) >= _SEVERAL and context.dialect == "urdf":
        message = "the robot is drawn but has no collision anywhere: it touches nothing"
        yield Finding(drawn[0], message, severity=Severity.WARNING)


def _bare_ends(context: Context) -> Iterator[Finding]:
    tied = {name for each in context.robot.equalities for name in (each.first, each.second)}
    for group in moving_groups(context.robot):
        drawn = [link for link in group if link.visuals]
        bare = drawn and not any(link.collisions for link in group)
        if bare and _is_end(context, group) and tied.isdisjoint(link.name for link in group):
            yield Finding(drawn[0], "a part at the end of a chain is drawn but has no collision")


def _is_end(context: Context, group: Group) -> bool:
    return len(list(from_here_on(context.robot, group[:1]))) == len(group)
