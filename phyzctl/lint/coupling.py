"""Joints that move more than what hangs on them."""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.robot.robot import Robot


def coupled_joints(robot: Robot) -> frozenset[str]:
    """The joints that equalities act on: what they move is more than what hangs on them."""
    coupled: set[str] = set()
    holders = {site.name: link.name for link in robot.links for site in link.sites}
    for equality in robot.equalities:
        for name in (equality.first, equality.second):
            coupled.add(name or "")
            link = holders.get(name, name) if equality.objects == "site" else name
            coupled.update(_joints_above(robot, link or ""))
    return frozenset(coupled)


def _joints_above(robot: Robot, link: str) -> Iterator[str]:
    """The joints on the way from a link to the root."""
    while joints := robot.structure.inbound(link):
        yield from (joint.name for joint in joints)
        link = joints[0].parent
