"""Mass and inertia, judged by rigid group: a welded frame without mass is no fault."""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.robot.robot import Robot


def mass_negative(robot: Robot) -> Iterator[Finding]:
    """I107: a mass below zero."""
    for link in robot.links:
        mass = link.inertial.mass if link.inertial else None
        if mass is not None and mass < 0:
            yield Finding(link, f"mass {mass:g} kg is negative", "inertial/mass@value")


CHECKS = ((codes.MASS_NEGATIVE, mass_negative),)
