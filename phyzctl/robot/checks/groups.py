"""Rigid groups: links that fixed joints hold together move as one, so they are judged as one."""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.robot.elements import Link
from phyzctl.robot.robot import WORLD_LINK, Robot

Group = tuple[Link, ...]

_MOST, _SOME = 0.5, 0.01  # shares of a group's mass


def moving_groups(robot: Robot) -> Iterator[Group]:
    """The groups that can move: all but the world's. A URDF's base may float, so it counts."""
    for group in robot.structure.rigid_groups():
        if group[0].name != WORLD_LINK:
            yield group


def driven_groups(robot: Robot) -> Iterator[Group]:
    """The groups that hang on a joint of their own, in tree order."""
    for group in robot.structure.rigid_groups():
        if robot.structure.inbound(group[0].name):
            yield group


def authored_mass(link: Link) -> float:
    """The mass [kg] that a link states, 0 when none can be read."""
    mass = link.inertial.mass if link.inertial else None
    return 0.0 if mass is None else mass


def states_mass(link: Link) -> bool:
    """True when a mass other than zero is written, even if wrong or not to be read."""
    return link.inertial is not None and link.inertial.mass != 0.0


def group_mass(group: Group) -> float:
    """The mass [kg] that the links of a group state together."""
    return sum(authored_mass(link) for link in group)


def bearing_links(robot: Robot) -> frozenset[str]:
    """The links whose own mass and tensor decide how a moving group behaves.

    They are the first of each group, which a joint moves, and any that holds more than half of
    its group's mass; but not a frame that weighs next to nothing of it. What is welded to them
    adds a little; a mistake in it weighs less.
    """
    bearing = set()
    for group in moving_groups(robot):
        whole = group_mass(group)
        for link in group:
            mass = authored_mass(link)
            if mass > _MOST * whole or (link is group[0] and mass >= _SOME * whole):
                bearing.add(link.name)
    return frozenset(bearing)


def from_here_on(robot: Robot, group: Group) -> Iterator[Link]:
    """The links of a group and all that hangs on them."""
    waiting = list(group)
    while waiting:
        link = waiting.pop()
        yield link
        waiting.extend(robot.structure.children(link.name))


def is_massless_below(robot: Robot, group: Group) -> bool:
    """True when neither the group nor anything that hangs on it states a mass."""
    return not any(states_mass(link) for link in from_here_on(robot, group))
