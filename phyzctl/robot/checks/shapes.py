"""Geoms: sizes that are not positive."""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.geometry.shapes import Plane, Shape
from phyzctl.issues import Finding, Severity
from phyzctl.robot.robot import Robot


def size_not_positive(robot: Robot) -> Iterator[Finding]:
    """G508: a primitive of no extent. Only a warning where the geom is merely drawn."""
    for link in robot.links:
        for geom in link.geoms:
            for name, value in _sizes(geom.shape):
                if value <= 0:
                    message = f"{name} {value:g} m is not positive"
                    severity = None if geom.collides else Severity.WARNING
                    subject = f"link {link.name!r}"
                    yield Finding(geom, message, subject=subject, severity=severity)


def _sizes(shape: Shape | None) -> Iterator[tuple[str, float]]:
    if shape is None or isinstance(shape, Plane):
        return
    for name in ("radius", "length", "size", "radii"):
        value = getattr(shape, name, None)
        for number in value if isinstance(value, tuple) else (value,):
            if number is not None:
                yield name, number


CHECKS = ((codes.SIZE_NOT_POSITIVE, size_not_positive),)
