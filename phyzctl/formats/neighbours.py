"""Bodies next to each other in the tree, which the two formats treat differently in contact.

To phyzctl's rules, which hold for a URDF, neighbours never collide, seen through welds and through
links of nothing. MuJoCo lets what moves on a standing body collide with that body, and looks
through nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from phyzctl.model.body import WORLD, Pair, ordered
from phyzctl.model.compiler import compile as compile_model
from phyzctl.model.filter import ContactFilter
from phyzctl.model.model import Model
from phyzctl.robot.robot import WORLD_LINK


def rules_of_urdf(model: Model) -> ContactFilter:
    """The filter that would hold if the robot were a URDF."""
    if model.contact_rules == "phyzctl":
        return ContactFilter.of(model)
    return ContactFilter.of(compile_model(replace(model.robot, dialect="urdf")))


def touching_neighbours(rules: ContactFilter) -> Iterator[Pair]:
    """Pairs of bodies that collide with others, but by these rules not with each other."""
    members: dict[int, list[int]] = {WORLD: []}
    for body in (WORLD, *range(rules.model.nbodies())):
        if any(geom.collides for geom in rules.model.geoms_of(body)):
            members.setdefault(rules.group(body), []).append(body)
    for group, bodies in members.items():
        above = rules.neighbours.get(group)
        for first in members.get(above, ()) if above is not None else ():
            for second in bodies:
                yield ordered(first, second)


def mujoco_lets_touch(rules: ContactFilter, pair: Pair) -> bool:
    """True for neighbours that MuJoCo doesn't filter for their place in the tree."""
    a, b = (rules.group(body) for body in pair)
    if WORLD in (a, b):
        return True
    parents = [rules.group(rules.model.bodies[group].parent) for group in (a, b)]
    return parents[0] != b and parents[1] != a


def name_of(model: Model, body: int) -> str:
    """The name of the link that a body is."""
    return WORLD_LINK if body == WORLD else model.bodies[body].name
