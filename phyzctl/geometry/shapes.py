"""Shapes as authored: sizes in metres, full extents, axis along local z.

A shape that a file states wrongly keeps the wrong number; a number that could not be read is
None, never 0. `MeshShape` and `HeightfieldShape` name an asset of the Robot.
"""

from __future__ import annotations

from phyzctl.records import dataclass

Vec3 = tuple[float, float, float]


@dataclass(frozen=True)
class Sphere:
    """A ball of `radius` [m] about the origin."""

    radius: float | None


@dataclass(frozen=True)
class Capsule:
    """A cylinder of `radius` [m] along z with half-ball caps; `length` [m] between cap centres."""

    radius: float | None
    length: float | None


@dataclass(frozen=True)
class Cylinder:
    """A solid cylinder of `radius` [m] along z, centred; `length` [m] is its full height."""

    radius: float | None
    length: float | None


@dataclass(frozen=True)
class Box:
    """A box centred at the origin; `size` [m] are full extents along x, y, z."""

    size: Vec3 | None


@dataclass(frozen=True)
class Ellipsoid:
    """An ellipsoid centred at the origin; `radii` [m] are its semi-axes along x, y, z."""

    radii: Vec3 | None


@dataclass(frozen=True)
class Plane:
    """The half-space below z = 0. `size` [m]: drawn half-extents in x and y, and grid spacing."""

    size: Vec3 | None = None


@dataclass(frozen=True)
class MeshShape:
    """The mesh asset named `mesh`. Other sizes come from the asset."""

    mesh: str


@dataclass(frozen=True)
class HeightfieldShape:
    """The height field asset named `heightfield`."""

    heightfield: str


Shape = Sphere | Capsule | Cylinder | Box | Ellipsoid | Plane | MeshShape | HeightfieldShape
