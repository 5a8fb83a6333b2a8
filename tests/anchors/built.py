"""Scenes that are built in Python, on the contact rules of built robots."""

from __future__ import annotations

from collections.abc import Sequence

import phyzctl
from phyzctl import Box, Geom, Inertia, Inertial, Joint, JointKind, Link, Plane, Sphere, Surface
from phyzctl.geometry.shapes import Shape

SMOOTH = Geom(Plane(), surface=Surface(friction=(0.0, 0.0, 0.0), condim=1))


def loose(
    shapes: Sequence[Shape], material: phyzctl.ContactMaterial, *, mass: float, ground: bool = True
) -> phyzctl.Model:
    """Bodies of equal mass [kg] and material, each free, all at the origin; a ground at z = 0.

    The ground is smooth, so that the bodies' material decides.
    """
    builder = phyzctl.RobotBuilder("loose")
    builder.link(Link("world", geoms=(SMOOTH,) if ground else ()))
    for number, shape in enumerate(shapes):
        name = f"body{number}"
        builder.link(Link(name, Inertial(mass=mass, inertia=solid(shape, mass)), (Geom(shape),)))
        builder.joint(Joint(f"free{number}", JointKind.FLOATING, "world", name))
    model = phyzctl.compile(builder.build())
    for body in model.bodies:
        model.set_body_material(body.name, material)
    return model


def solid(shape: Shape, mass: float) -> Inertia:
    """That of a sphere or box of even density [kg m²]."""
    if isinstance(shape, Sphere):
        assert shape.radius is not None
        moment = 0.4 * mass * shape.radius**2
        return Inertia(moment, 0.0, 0.0, moment, 0.0, moment)
    assert isinstance(shape, Box)
    assert shape.size is not None
    x, y, z = (side**2 * mass / 12.0 for side in shape.size)
    return Inertia(y + z, 0.0, 0.0, x + z, 0.0, x + y)
