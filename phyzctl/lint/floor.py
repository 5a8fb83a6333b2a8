"""How deep the geoms of a Model stand in a floor of the world. Brings numpy and the kernel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from phyzctl.geometry.mesh import MeshError
from phyzctl.geometry.shapes import MeshShape
from phyzctl.model.body import WORLD
from phyzctl.model.geom import Geom, GeomType
from phyzctl.model.model import Model
from phyzctl.model.passes.meshes import mesh_data
from phyzctl.spatial import Array


@dataclass(frozen=True)
class Sunken:
    """A geom below a plane: by how much [m], and how thick [m] it is across the plane."""

    geom: Geom
    body: str
    plane: Geom
    depth: float
    thickness: float


def sunken_geoms(model: Model, q: Array) -> Iterator[Sunken]:
    """The geoms of moving bodies that reach below a plane of the world at `q` (nq,)."""
    planes = [geom for geom in model.world_geoms if geom.type is GeomType.PLANE and geom.collides]
    if not planes or not np.isfinite(q).all():
        return
    placed, moving = model.kinematics(q).geoms, _moving(model)
    for plane in planes:
        normal, origin = plane.X_BG[:3, 2], plane.X_BG[:3, 3]
        for geom, X_WG in zip(model.geoms, placed, strict=True):
            if geom.body not in moving or not _meet(geom, plane):
                continue
            extent = _extent(model, geom, X_WG[:3, :3].T @ normal)
            if extent is None:
                continue
            low, high = extent
            depth = -float(normal @ (X_WG[:3, 3] - origin)) - low
            if depth > 0.0:
                yield Sunken(geom, model.bodies[geom.body].name, plane, depth, high - low)


def _extent(model: Model, geom: Geom, n: Array) -> tuple[float, float] | None:
    """From where to where [m] a geom reaches along `n` (3,), a unit vector in its own frame."""
    a, b, c = geom.size
    across = float(np.hypot(n[0], n[1]))
    match geom.type:
        case GeomType.SPHERE:
            reach = a
        case GeomType.CAPSULE:
            reach = a + b * abs(n[2])
        case GeomType.CYLINDER:
            reach = a * across + b * abs(n[2])
        case GeomType.BOX:
            reach = float(np.abs(n) @ (a, b, c))
        case GeomType.ELLIPSOID:
            reach = float(np.linalg.norm(n * (a, b, c)))
        case GeomType.MESH:
            return _extent_of_mesh(model, geom, n)
        case _:
            return None
    return -reach, reach


def _extent_of_mesh(model: Model, geom: Geom, n: Array) -> tuple[float, float] | None:
    name = geom.shape.mesh if isinstance(geom.shape, MeshShape) else None
    mesh = next((mesh for mesh in model.robot.meshes if mesh.name == name), None)
    try:
        data = mesh_data(mesh) if mesh is not None else None
    except MeshError:
        return None
    if data is None or not len(data.vertices):
        return None
    along = data.vertices @ n
    return float(along.min()), float(along.max())


def _meet(a: Geom, b: Geom) -> bool:
    return bool(a.contype & b.conaffinity or b.contype & a.conaffinity)


def _moving(model: Model) -> frozenset[int]:
    """The bodies that joints move and the world may touch; what is mocap stands where it is put."""
    return frozenset(
        body
        for body, group in enumerate(model.weld_groups())
        if group != WORLD
        and any(model.joints[joint].nv for joint in model.bodies[group].joints)
        and model.may_collide(body, WORLD)
    )
