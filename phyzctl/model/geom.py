"""Geoms of a Model: a shape, where it sits on its body, and what it meets."""

from __future__ import annotations

import enum

from phyzctl.geometry.shapes import Shape, Vec3
from phyzctl.issues import Source
from phyzctl.model.material import ContactMaterial
from phyzctl.records import dataclass
from phyzctl.robot import elements
from phyzctl.spatial import Array


class GeomType(enum.IntEnum):
    """What the kernel calls a shape. UNKNOWN is one whose sizes could not be read."""

    PLANE = 0
    HEIGHTFIELD = 1
    SPHERE = 2
    CAPSULE = 3
    ELLIPSOID = 4
    CYLINDER = 5
    BOX = 6
    MESH = 7
    UNKNOWN = 8


@dataclass(frozen=True, eq=False)
class Geom:
    """One geom. `body` is -1 for the world's.

    `size` [m] for the kernel: radius (sphere), radius and half length (capsule, cylinder), half
    extents (box), semi-axes (ellipsoid), zeros for the others. `X_BG` (4, 4) is its pose in the
    body frame. Two geoms can meet when the one's `contype` and the other's `conaffinity` share a
    bit; a geom that is only drawn has neither. `material` is None where the body's or the
    scene's holds.
    """

    name: str | None
    body: int
    type: GeomType
    size: Vec3
    shape: Shape | None
    X_BG: Array
    contype: int
    conaffinity: int
    material: ContactMaterial | None
    element: elements.Geom

    @property
    def collides(self) -> bool:
        """True when the geom can meet anything by its bit masks."""
        return bool(self.contype or self.conaffinity)

    @property
    def source(self) -> Source | None:
        """Where the geom stands in a file."""
        return self.element.source
