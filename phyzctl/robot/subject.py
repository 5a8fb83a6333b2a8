"""How an element is called in a message: `joint 'elbow'`, `keyframe 'home'`."""

from __future__ import annotations

from typing import Any

from phyzctl.robot.elements import Geom, GeomRole, Joint, Link, TransmissionEnd

_GEOM_WORDS = {
    GeomRole.VISUAL: "visual",
    GeomRole.COLLISION: "collision",
    GeomRole.BOTH: "geom",
}


def describe(element: Any) -> str | None:
    """The kind and name of an element, None when it has no name to call it by."""
    name = getattr(element, "name", None)
    if not name:
        return None
    return f"{_word(element)} {name!r}"


def _word(element: Any) -> str:
    if isinstance(element, Geom):
        return _GEOM_WORDS[element.role]
    if isinstance(element, Link):
        return "link"
    if isinstance(element, Joint):
        return "joint"
    if isinstance(element, TransmissionEnd):
        return "transmission of"
    return type(element).__name__.lower()
