"""Masses: negative, missing where something moves, too small, or stated and then ignored."""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding, Severity
from phyzctl.robot.checks.groups import (
    Group,
    authored_mass,
    driven_groups,
    group_mass,
    is_massless_below,
    states_mass,
)
from phyzctl.robot.elements import JointKind, Link
from phyzctl.robot.robot import Robot

_TINY = 1e-4  # [kg] a moving group that is lighter can't be simulated with common step sizes


def group_massless(robot: Robot) -> Iterator[Finding]:
    """I103: a part that moves, and has no mass, while others have. MJCF weighs the geoms.

    An error where nothing below it has mass either, since then forces move it infinitely fast;
    unless it follows another joint, whose part has mass.
    """
    if robot.dialect == "mjcf" or is_kinematic(robot):
        return
    for group in driven_groups(robot):
        if any(states_mass(link) for link in group):
            continue
        welded = ", ".join(link.name for link in group[1:4]) + (", …" if len(group) > 4 else "")
        message = "moves, but has no mass" + (
            f" (nor what is welded to it: {welded})" * bool(welded)
        )
        if not is_massless_below(robot, group):
            message += " of its own, only what hangs on it has; MuJoCo refuses it"
        elif _follows_mass(robot, group):
            message += " and only follows another joint; MuJoCo refuses it"
        else:
            yield Finding(group[0], f"{message}, while other links have")
            continue
        yield Finding(group[0], message, severity=Severity.WARNING)


def _follows_mass(robot: Robot, group: Group) -> bool:
    """True when the group's joint mimics one that moves something with mass."""
    mimic = robot.structure.inbound(group[0].name)[0].mimic
    if mimic is None or not robot.structure.has_joint(mimic.joint):
        return False
    led = robot.structure.joint(mimic.joint).child
    return not is_massless_below(robot, (robot.structure.link(led),))


def kinematics_only(robot: Robot) -> Iterator[Finding]:
    """I104: joints that move, and no mass anywhere; one finding for the file."""
    moves = any(joint.kind is not JointKind.FIXED for joint in robot.joints)
    if robot.dialect != "mjcf" and moves and is_kinematic(robot):
        message = "no link has a mass, so this is a model for kinematics; it can't be simulated"
        yield Finding(robot, message)


def mass_tiny(robot: Robot) -> Iterator[Finding]:
    """I106: a moving part that is lighter than simulators bear."""
    if robot.settings.inertia_from_geom:
        return
    for group in driven_groups(robot):
        mass = group_mass(group)
        if any(link.inertial is None and link.geoms for link in group) and robot.dialect == "mjcf":
            continue  # its geoms are weighed too
        if 0.0 < mass < _TINY:
            heaviest = max(group, key=authored_mass)
            message = (
                f"moves with a mass of {mass:g} kg; below {_TINY:g} kg, simulators drop it or "
                "become unstable"
            )
            yield Finding(heaviest, message, mass_place(robot))


def mass_negative(robot: Robot) -> Iterator[Finding]:
    """I107: a mass, or in MJCF a density, below zero."""
    for link in robot.links:
        mass = authored_mass(link)
        if mass < 0:
            yield Finding(link, f"mass {mass:g} kg is negative", mass_place(robot))
        yield from _negative_geoms(link)


def inertial_ignored(robot: Robot) -> Iterator[Finding]:
    """I132: an inertial that counts for nothing, since the compiler is told to weigh geoms."""
    if robot.settings.inertia_from_geom:
        for link in robot.links:
            if link.inertial is not None:
                message = 'is ignored: the compiler says inertiafromgeom="true"'
                yield Finding(link.inertial, message, subject=f"inertial of link {link.name!r}")


def is_kinematic(robot: Robot) -> bool:
    """True when no link states a mass other than zero."""
    return not any(states_mass(link) for link in robot.links)


def mass_place(robot: Robot) -> str:
    """Where a link's mass is written, as a `Finding.attribute`."""
    return "inertial@mass" if robot.dialect == "mjcf" else "inertial/mass@value"


def _negative_geoms(link: Link) -> Iterator[Finding]:
    for geom in link.geoms:
        for name, value, unit in (("mass", geom.mass, "kg"), ("density", geom.density, "kg/m³")):
            if value is not None and value < 0:
                yield Finding(geom, f"{name} {value:g} {unit} is negative", name)


CHECKS = ((codes.MASS_NEGATIVE, mass_negative),)
