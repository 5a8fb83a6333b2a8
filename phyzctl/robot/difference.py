"""What two Robots say differently, element by element, whatever the order and the spelling.

Elements of a kind are paired by name, unnamed ones by what they refer to or their place.
Orientations are compared as rotations. Where elements stand in a file, the format, and whether a
name was written are no differences.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from phyzctl.records import dataclass
from phyzctl.robot.elements import Extension
from phyzctl.robot.mechanism import ContactPair, Equality, Exclude
from phyzctl.robot.robot import KINDS, Robot
from phyzctl.spatial import quat_from_rpy

_IGNORED = frozenset({"name_stated", "dialect", "version"})
_ORDERED = ("joints", "actuators")  # their order is that of q and of ctrl


@dataclass(frozen=True)
class Difference:
    """One value that differs: `path` below the element `name` of a `kind`, such as `limit.upper`.

    `before` and `after` are what the two state. An empty path means that only one of them has
    the element: the other value is None.
    """

    kind: str
    name: str
    path: str
    before: Any
    after: Any


def differences(before: Robot, after: Robot, *, tolerance: float = 1e-9) -> Iterator[Difference]:
    """All differences. Numbers are equal within `tolerance`, relative or absolute."""
    for item in fields(Robot):
        first, second = getattr(before, item.name), getattr(after, item.name)
        if item.name in KINDS:
            yield from _of_kind(item.name, first, second, tolerance)
        elif item.compare and item.name not in _IGNORED:
            path = "" if is_dataclass(first) else item.name
            kind = item.name if is_dataclass(first) else "robot"
            for where, one, other in _walk(path, first, second, tolerance):
                yield Difference(kind, "", where, one, other)


def _of_kind(
    field: str, before: Sequence[Any], after: Sequence[Any], tolerance: float
) -> Iterator[Difference]:
    kind, ours, theirs = KINDS[field], _keyed(before), _keyed(after)
    for name, element in ours.items():
        if name not in theirs:
            yield Difference(kind, name, "", element, None)
            continue
        for path, one, other in _walk("", element, theirs[name], tolerance):
            yield Difference(kind, name, path, one, other)
    for name, element in theirs.items():
        if name not in ours:
            yield Difference(kind, name, "", None, element)
    common = [name for name in ours if name in theirs]
    moved = [name for name in theirs if name in ours]
    if field in _ORDERED and common != moved:
        yield Difference("robot", "", f"order of {field}", tuple(common), tuple(moved))


def _keyed(elements: Sequence[Any]) -> dict[str, Any]:
    """Elements by name; a second of one name has its number behind it."""
    found: dict[str, Any] = {}
    for place, element in enumerate(elements):
        wanted = _key(element) or f"#{place}"
        name, count = wanted, 1
        while name in found:
            count += 1
            name = f"{wanted} ({count})"
        found[name] = element
    return found


def _key(element: Any) -> str | None:
    name: str | None = getattr(element, "name", None)
    if name:
        return name
    if isinstance(element, Exclude | ContactPair):
        return " and ".join(sorted((element.first, element.second)))
    if isinstance(element, Equality):
        return " and ".join(filter(None, (element.first, element.second)))
    if isinstance(element, Extension):
        return element.tag
    return None


def _walk(path: str, a: Any, b: Any, tolerance: float) -> Iterator[tuple[str, Any, Any]]:
    """Where two values differ, and by what, from the outside in."""
    if is_dataclass(a) and type(a) is type(b):
        yield from _walk_fields(path, a, b, tolerance)
    elif _holds_elements(a) or _holds_elements(b):
        ours, theirs = _keyed(a or ()), _keyed(b or ())
        for name in dict.fromkeys([*ours, *theirs]):
            yield from _walk(f"{path}[{name}]", ours.get(name), theirs.get(name), tolerance)
    elif not _close(a, b, tolerance):
        yield path, a, b


def _walk_fields(path: str, a: Any, b: Any, tolerance: float) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(b, Exclude | ContactPair) and (a.first, a.second) == (b.second, b.first):
        b = replace(b, first=a.first, second=a.second)
    posed = {"rpy", "quat"} <= {item.name for item in fields(a)}
    for item in fields(a):
        if not item.compare or item.name in _IGNORED or (posed and item.name in ("rpy", "quat")):
            continue
        below = f"{path}.{item.name}" if path else item.name
        yield from _walk(below, getattr(a, item.name), getattr(b, item.name), tolerance)
    if posed and not _same_turn(a, b, tolerance):
        spelled = [one.rpy if one.quat is None else one.quat for one in (a, b)]
        yield f"{path}.orientation" if path else "orientation", spelled[0], spelled[1]


def _holds_elements(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and is_dataclass(value[0])


def _same_turn(a: Any, b: Any, tolerance: float) -> bool:
    """A quaternion and its negative are one rotation."""
    if (a.rpy, a.quat) == (b.rpy, b.quat):
        return True
    ours, theirs = _quat(a), _quat(b)
    if ours is None or theirs is None:
        return False
    turned = tuple(-value for value in theirs)
    return _close(ours, theirs, tolerance) or _close(ours, turned, tolerance)


def _quat(element: Any) -> tuple[float, ...] | None:
    if element.quat is not None:
        length = math.hypot(*element.quat)
        return tuple(value / length for value in element.quat) if length else None
    return None if element.rpy is None else tuple(quat_from_rpy(element.rpy).tolist())


def _close(a: Any, b: Any, tolerance: float) -> bool:
    if isinstance(a, tuple) and isinstance(b, tuple):
        pairs = zip(a, b, strict=False)
        return len(a) == len(b) and all(_close(x, y, tolerance) for x, y in pairs)
    if _is_number(a) and _is_number(b):
        same = math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)
        return same or (math.isnan(a) and math.isnan(b))
    return bool(a == b)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
