"""Volume, inertia and bounds of shapes in closed form, without numpy.

Every function gives None for a shape that has no such figure (a plane, a mesh, a height field)
or whose sizes are not known. Sizes are taken as authored: wrong ones give wrong figures.
"""

from __future__ import annotations

import math

from phyzctl.geometry.shapes import Box, Capsule, Cylinder, Ellipsoid, Shape, Sphere, Vec3


def volume(shape: Shape) -> float | None:
    """The volume [m³] of a solid shape."""
    match shape:
        case Sphere(radius=float(r)):
            return 4.0 / 3.0 * math.pi * r * r * r
        case Capsule(radius=float(r), length=float(length)):
            return math.pi * r * r * (length + 4.0 / 3.0 * r)
        case Cylinder(radius=float(r), length=float(length)):
            return math.pi * r * r * length
        case Box(size=(x, y, z)):
            return x * y * z
        case Ellipsoid(radii=(a, b, c)):
            return 4.0 / 3.0 * math.pi * a * b * c
        case _:
            return None


def unit_inertia(shape: Shape) -> Vec3 | None:
    """Principal moments [m²] about the centre of a solid shape of mass 1 kg, along its axes.

    Multiply by the mass to get kg m². The axes x, y, z of every primitive are principal.
    """
    match shape:
        case Sphere(radius=float(r)):
            moment = 0.4 * r * r
            return moment, moment, moment
        case Capsule(radius=float(r), length=float(length)):
            return _unit_inertia_of_capsule(r, length)
        case Cylinder(radius=float(r), length=float(length)):
            across = (3.0 * r * r + length * length) / 12.0
            return across, across, 0.5 * r * r
        case Box(size=(x, y, z)):
            return (y * y + z * z) / 12.0, (x * x + z * z) / 12.0, (x * x + y * y) / 12.0
        case Ellipsoid(radii=(a, b, c)):
            return (b * b + c * c) / 5.0, (a * a + c * c) / 5.0, (a * a + b * b) / 5.0
        case _:
            return None


def half_extents(shape: Shape) -> Vec3 | None:
    """Half the sides [m] of the shape's bounding box, which is centred and along its axes."""
    match shape:
        case Sphere(radius=float(r)):
            return r, r, r
        case Capsule(radius=float(r), length=float(length)):
            return r, r, 0.5 * length + r
        case Cylinder(radius=float(r), length=float(length)):
            return r, r, 0.5 * length
        case Box(size=(x, y, z)):
            return 0.5 * x, 0.5 * y, 0.5 * z
        case Ellipsoid(radii=(a, b, c)):
            return a, b, c
        case _:
            return None


def bounding_radius(shape: Shape) -> float | None:
    """The radius [m] of the smallest ball about the origin that holds the shape."""
    match shape:
        case Sphere(radius=float(r)):
            return r
        case Capsule(radius=float(r), length=float(length)):
            return 0.5 * length + r
        case Cylinder(radius=float(r), length=float(length)):
            return math.hypot(r, 0.5 * length)
        case Box(size=(x, y, z)):
            return 0.5 * math.hypot(x, y, z)
        case Ellipsoid(radii=(a, b, c)):
            return max(a, b, c)
        case _:
            return None


def _unit_inertia_of_capsule(radius: float, length: float) -> Vec3:
    """A cylinder and, at its ends, two half balls, which share out the mass by volume."""
    caps_length = 4.0 / 3.0 * radius
    whole = length + caps_length
    if whole == 0.0:
        return 0.0, 0.0, 0.0
    cylinder, caps = length / whole, caps_length / whole
    r2, half = radius * radius, 0.5 * length
    across = cylinder * (3.0 * r2 + length * length) / 12.0
    across += caps * (0.4 * r2 + half * half + 0.75 * half * radius)
    return across, across, cylinder * 0.5 * r2 + caps * 0.4 * r2
