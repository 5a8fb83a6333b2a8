"""Rename everything in a Robot by a prefix, so that it can be attached to another."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from phyzctl.robot.elements import Material
from phyzctl.robot.robot import Robot

# The fields that hold the name of an element, wherever they occur.
_NAME_FIELDS = frozenset(
    {
        "name",
        "parent",
        "child",
        "joint",
        "mesh",
        "heightfield",
        "fit_mesh",
        "target",
        "slider_site",
        "reference_site",
        "first",
        "second",
        "side_site",
        "object_name",
        "reference_name",
    }
)


def prefixed(robot: Robot, prefix: str) -> Robot:
    """A copy of `robot` in which every name, and every reference to one, starts with `prefix`.

    The robot's own name, extensions and inline materials keep theirs.
    """
    if not prefix:
        return robot
    renamed = {
        item.name: _renamed(getattr(robot, item.name), prefix)
        for item in fields(robot)
        if isinstance(getattr(robot, item.name), tuple) and item.name not in _UNNAMED
    }
    return replace(robot, **renamed)


_UNNAMED = frozenset({"extensions", "materials"})


def _renamed(value: Any, prefix: str) -> Any:
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return tuple(_renamed(item, prefix) for item in value)
    if not is_dataclass(value) or isinstance(value, Material | type):
        return value
    changes = {}
    for item in fields(value):
        old = getattr(value, item.name)
        if item.name == "source" or item.name in _UNNAMED:
            continue
        new = prefix + old if item.name in _NAME_FIELDS and old else _renamed(old, prefix)
        if new is not old:
            changes[item.name] = new
    return replace(value, **changes)
