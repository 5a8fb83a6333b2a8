"""Masses that a description doesn't state, guessed on purpose from its collision shapes."""

from __future__ import annotations

from dataclasses import replace

from phyzctl.issues import Issues
from phyzctl.model.passes.masses import of_geom
from phyzctl.model.passes.meshes import MeshInertias
from phyzctl.robot.elements import GeomRole, Inertia, Inertial, Link
from phyzctl.robot.robot import Robot
from phyzctl.spatial import RigidInertia


def with_inferred_inertia(robot: Robot, density: float) -> tuple[Robot, tuple[str, ...]]:
    """The robot with a mass for every link that states none but has shapes to collide.

    They are solids of `density` [kg/m³]; each counts in full where they overlap. The names of
    the links that got a mass come along.
    """
    meshes = MeshInertias(robot, Issues())
    links, named = [], []
    for link in robot.links:
        inertial = _inferred(link, density, meshes)
        if inertial is not None:
            named.append(link.name)
            link = replace(link, inertial=inertial)  # noqa: PLW2901
        links.append(link)
    return replace(robot, links=tuple(links)), tuple(named)


def _inferred(link: Link, density: float, meshes: MeshInertias) -> Inertial | None:
    if link.inertial is not None and link.inertial.mass:
        return None
    solid = [geom for geom in link.geoms if geom.role is not GeomRole.VISUAL]
    alike = [replace(geom, density=density, mass=None) for geom in solid]
    parts = [part for geom in alike if (part := of_geom(geom, meshes)) is not None]
    whole = RigidInertia.combined(parts)
    if not whole.mass > 0.0:
        return None
    x, y, z = whole.com.tolist()
    (ixx, ixy, ixz), (_, iyy, iyz), (_, _, izz) = whole.inertia.tolist()
    tensor = Inertia(ixx=ixx, ixy=ixy, ixz=ixz, iyy=iyy, iyz=iyz, izz=izz)
    return Inertial(mass=whole.mass, xyz=(x, y, z), inertia=tensor, source=link.source)
