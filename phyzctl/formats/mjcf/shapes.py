"""Sizes of geoms and sites: MJCF writes half extents, a Robot full ones."""

from __future__ import annotations

import math
from collections.abc import Callable

from phyzctl import codes
from phyzctl.formats.mjcf.attributes import Attributes
from phyzctl.formats.mjcf.placement import Placement, quat_along
from phyzctl.geometry.shapes import Box, Capsule, Cylinder, Ellipsoid, Plane, Shape, Sphere

SOLIDS = ("sphere", "capsule", "ellipsoid", "cylinder", "box")
TYPES = (*SOLIDS, "plane", "hfield", "mesh", "sdf")
_Size = tuple[float, ...]

# Per type: how many sizes it takes, and the shape they make.
_PRIMITIVES: dict[str, tuple[int, Callable[[_Size], Shape]]] = {
    "sphere": (1, lambda s: Sphere(s[0])),
    "capsule": (2, lambda s: Capsule(s[0], 2 * s[1])),
    "cylinder": (2, lambda s: Cylinder(s[0], 2 * s[1])),
    "ellipsoid": (3, lambda s: Ellipsoid((s[0], s[1], s[2]))),
    "box": (3, lambda s: Box((2 * s[0], 2 * s[1], 2 * s[2]))),
    "plane": (3, lambda s: Plane((s[0], s[1], s[2]))),
}
SIZELESS: dict[str, Shape] = {
    "sphere": Sphere(None),
    "capsule": Capsule(None, None),
    "cylinder": Cylinder(None, None),
    "ellipsoid": Ellipsoid(None),
    "box": Box(None),
    "plane": Plane(None),
}


def read_primitive(attributes: Attributes, kind: str, otherwise: _Size | None = None) -> Shape:
    """The shape that `size` gives, over `otherwise` where that is shorter; X006 if too short."""
    size = attributes.overlaid("size", 3)
    if size is None and attributes.owner("size") is not None:
        return SIZELESS[kind]  # unreadable, as was reported
    return sized(attributes, kind, (size or ()) + (otherwise or ())[len(size or ()) :])


def sized(attributes: Attributes, kind: str, size: _Size) -> Shape:
    """The shape of that type and size."""
    count, make = _PRIMITIVES[kind]
    if len(size) >= count:
        return make(size)
    numbers = f"{count} number{'s' * (count > 1)}"
    message = f"the size of a {kind} takes {numbers}, {len(size) or 'none'} found"
    attributes.report_missing(codes.REQUIRED_MISSING, message, "size")
    return SIZELESS[kind]


def read_fromto(attributes: Attributes, kind: str) -> tuple[Shape, Placement]:
    """The shape between two points: z runs from the second to the first."""
    points = attributes.numbers("fromto", 6)
    radius = attributes.overlaid("size", 3)
    if points is None:
        return SIZELESS[kind], Placement(None, None)
    vector = (points[0] - points[3], points[1] - points[4], points[2] - points[5])
    length = math.hypot(*vector)
    middle = tuple(0.5 * (points[axis] + points[axis + 3]) for axis in range(3))
    quat = quat_along(vector)
    if quat is None:
        attributes.report(
            codes.GEOMETRY_MISSING,
            "fromto names the same point twice, so the shape has no length",
            "fromto",
        )
        return SIZELESS[kind], Placement((middle[0], middle[1], middle[2]), None)
    size: _Size = ()
    if radius:
        across = 1 if kind in ("capsule", "cylinder") else 2
        size = (*(radius[:1] * across), 0.5 * length)
    return sized(attributes, kind, size), Placement((middle[0], middle[1], middle[2]), quat)
