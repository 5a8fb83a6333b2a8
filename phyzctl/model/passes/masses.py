"""Mass, centre of mass and inertia of every body, as authored or, in MJCF, from its geoms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from phyzctl.geometry.primitives import unit_inertia, volume
from phyzctl.geometry.shapes import MeshShape
from phyzctl.model.passes.meshes import MeshInertias
from phyzctl.model.passes.values import number, pose_of
from phyzctl.robot import elements
from phyzctl.robot.mechanism import CompilerSettings
from phyzctl.robot.robot import Robot
from phyzctl.spatial import Array, RigidInertia, inertia_matrix

_WATER = 1000.0  # [kg/m³] MJCF's default density
_ALL_GROUPS = (0, 5)


@np.errstate(over="ignore", invalid="ignore")
def body_masses(
    robot: Robot, links: Sequence[elements.Link], meshes: MeshInertias
) -> list[RigidInertia]:
    """Mass properties of each link, in its own frame.

    A URDF link without inertial has no mass. In MJCF, and where `inertia_from_geom` says so,
    mass comes from geoms; then MJCF's bounds, balance and total are applied.
    """
    settings = robot.settings
    masses = [_of_link(link, robot, meshes) for link in links]
    if settings.bound_mass or settings.bound_inertia or settings.balance_inertia:
        masses = [_repaired(mass, settings) for mass in masses]
    total = sum(mass.mass for mass in masses)
    if settings.total_mass is not None and settings.total_mass > 0.0 and total > 0.0:
        masses = [_scaled(mass, settings.total_mass / total) for mass in masses]
    return masses


def _of_link(link: elements.Link, robot: Robot, meshes: MeshInertias) -> RigidInertia:
    wanted = robot.settings.inertia_from_geom
    if wanted is None:
        wanted = robot.dialect == "mjcf" and link.inertial is None
    if not wanted:
        return authored(link.inertial)
    first, last = robot.settings.inertia_group_range or _ALL_GROUPS
    geoms = [geom for geom in link.geoms if first <= (geom.group or 0) <= last]
    parts = [part for geom in geoms if (part := of_geom(geom, meshes)) is not None]
    return RigidInertia.combined(parts)


def authored(inertial: elements.Inertial | None) -> RigidInertia:
    """A written inertial, turned into the frame of its link; nothing where nothing is written."""
    if inertial is None:
        return RigidInertia(0.0, np.zeros(3), np.zeros((3, 3)))
    tensor = np.zeros((3, 3)) if inertial.inertia is None else inertia_matrix(inertial.inertia)
    at_com = RigidInertia(number(inertial.mass), np.zeros(3), tensor)
    return at_com.transformed(pose_of(inertial))


@np.errstate(over="ignore", invalid="ignore")  # rules judge what is too large
def of_geom(geom: elements.Geom, meshes: MeshInertias) -> RigidInertia | None:
    """A geom's mass properties in the frame of its link; None for what has no volume."""
    shape = geom.shape
    if isinstance(shape, MeshShape):
        unit = meshes.unit(shape.mesh, "shell" if geom.shell_inertia else None)
    elif shape is None or (size := volume(shape)) is None:
        unit = None
    else:
        moments = unit_inertia(shape)
        unit = RigidInertia(size, np.zeros(3), size * np.diag(moments or (0.0, 0.0, 0.0)))
    if unit is None:
        return None
    if geom.mass is not None:
        factor = geom.mass / unit.mass if unit.mass else 0.0
    else:
        factor = number(geom.density, _WATER)
    return _scaled(unit, factor).transformed(pose_of(geom))


def _scaled(body: RigidInertia, factor: float) -> RigidInertia:
    return RigidInertia(factor * body.mass, body.com, factor * body.inertia)


def _repaired(body: RigidInertia, settings: CompilerSettings) -> RigidInertia:
    """MJCF's lower bounds on mass and principal moments, and its mean for impossible ones."""
    mass = max(body.mass, number(settings.bound_mass))
    return RigidInertia(mass, body.com, _repaired_inertia(body.inertia, settings))


def _repaired_inertia(inertia: Array, settings: CompilerSettings) -> Array:
    if not np.isfinite(inertia).all():
        return inertia
    moments, axes = np.linalg.eigh(inertia)
    repaired = np.maximum(moments, number(settings.bound_inertia))
    if settings.balance_inertia and repaired[0] + repaired[1] < repaired[2]:
        repaired = np.full(3, repaired.mean())
    if (repaired == moments).all():
        return inertia
    turned: Array = axes @ np.diag(repaired) @ axes.T
    return 0.5 * (turned + turned.T)
