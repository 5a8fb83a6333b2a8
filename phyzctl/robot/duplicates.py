"""Names used twice within a kind: the first keeps it, later ones are reported and left out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

from phyzctl.issues import Issues
from phyzctl.robot.elements import Link
from phyzctl.robot.namesakes import code_of_namesake, relation_to_first
from phyzctl.robot.robot import KINDS, Robot
from phyzctl.robot.subject import describe

_Item = TypeVar("_Item")
_NAMED_LISTS = tuple(
    name for name in KINDS if name not in {"links", "joints", "transmissions", "extensions"}
)


def drop_duplicates(robot: Robot, issues: Issues) -> Robot:
    """The Robot without later namesakes; links and joints are judged by the assembly.

    URDF doesn't ask for unique names of visuals and collisions; elsewhere geoms and sites share
    one name space each across all links.
    """
    changes: dict[str, Any] = {
        name: _first_of_each_name(getattr(robot, name), {}, issues) for name in _NAMED_LISTS
    }
    if robot.dialect != "urdf":
        changes["links"] = _with_unique_parts(robot.links, issues)
    return replace(robot, **changes)


def _with_unique_parts(links: Iterable[Link], issues: Issues) -> tuple[Link, ...]:
    geom_names: dict[str, Any] = {}
    site_names: dict[str, Any] = {}
    return tuple(
        replace(
            link,
            geoms=_first_of_each_name(link.geoms, geom_names, issues),
            sites=_first_of_each_name(link.sites, site_names, issues),
        )
        for link in links
    )


def _first_of_each_name(
    items: Iterable[_Item], taken: dict[str, Any], issues: Issues
) -> tuple[_Item, ...]:
    return tuple(item for item in items if not _is_repeated(item, taken, issues))


def _is_repeated(item: Any, taken: dict[str, Any], issues: Issues) -> bool:
    if not item.name:
        return False
    if item.name not in taken:
        taken[item.name] = item
        return False
    first = taken[item.name].source
    issues.add(
        code_of_namesake(item.source, first),
        f"the name {item.name!r} is taken; this one is left out",
        source=item.source,
        subject=describe(item),
        related=relation_to_first(first),
        attribute="name",
    )
    return True
