"""A floor under a robot that floats, so that it doesn't fall for ever."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from phyzctl.errors import PhyzctlError
from phyzctl.geometry.shapes import Plane
from phyzctl.model.geom import Geom, GeomType
from phyzctl.model.hulls import GeomHulls
from phyzctl.model.model import Model
from phyzctl.robot.elements import Geom as WrittenGeom
from phyzctl.robot.elements import GeomRole, Joint, JointKind, Link
from phyzctl.robot.robot import WORLD_LINK, Robot
from phyzctl.spatial import Array

NAME = "ground"


def with_ground(robot: Robot, height: float) -> Robot:
    """The robot, free to move, over a level plane at z = `height` [m].

    Raises PhyzctlError for a robot that has a world of its own, which can hold a floor.
    """
    if robot.structure.has_link(WORLD_LINK):
        raise PhyzctlError("the robot has a world of its own: write the ground there")
    plane = WrittenGeom(Plane(), NAME, GeomRole.COLLISION, xyz=(0.0, 0.0, height))
    root = robot.structure.root.name
    name = f"{root}_base"
    while robot.structure.has_joint(name):
        name += "_"
    base = Joint(name, JointKind.FLOATING, parent=WORLD_LINK, child=root)
    links = (Link(WORLD_LINK, geoms=(plane,)), *robot.links)
    return replace(robot, links=links, joints=(base, *robot.joints))


def lowest_point(model: Model, q: Array) -> float | None:
    """How low the colliding shapes of moving bodies reach at `q` (nq,) [m]; None without any."""
    hulls = model.hulls
    poses = model.kinematics(q).geoms
    found = [
        low
        for number, geom in enumerate(model.geoms)
        if geom.body >= 0 and geom.collides
        if (low := _lowest(geom, poses[number], hulls, number)) is not None
    ]
    return min(found, default=None)


def _lowest(geom: Geom, X_WG: Array, hulls: GeomHulls, number: int) -> float | None:
    """The least z of a shape: its support downwards."""
    down, z = np.abs(X_WG[2, :3]), float(X_WG[2, 3])
    a, b, c = geom.size
    match geom.type:
        case GeomType.SPHERE:
            return z - a
        case GeomType.CAPSULE:
            return z - a - b * float(down[2])
        case GeomType.CYLINDER:
            return z - b * float(down[2]) - a * float(np.hypot(down[0], down[1]))
        case GeomType.BOX:
            return z - float(down @ (a, b, c))
        case GeomType.ELLIPSOID:
            return z - float(np.linalg.norm(down * (a, b, c)))
        case GeomType.MESH if hulls.index[number] >= 0:
            vertices = hulls.hulls[hulls.index[number]].vertices
            return z + float((vertices @ X_WG[2, :3]).min())
    return None
