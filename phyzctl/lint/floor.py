"""How deep the geoms of a Model stand in a floor of the world. Brings numpy and the kernel."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from phyzctl.geometry.mesh import MeshError
from phyzctl.geometry.shapes import MeshShape
from phyzctl.model.body import WORLD
from phyzctl.model.geom import Geom, GeomType
from phyzctl.model.model import Model
from phyzctl.model.passes.meshes import mesh_data
from phyzctl.records import dataclass
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
    placed, moving, meshes = model.kinematics(q).geoms, _moving(model), _Meshes(model)
    for plane in planes:
        normal, origin = plane.X_BG[:3, 2], plane.X_BG[:3, 3]
        for geom, X_WG in zip(model.geoms, placed, strict=True):
            if geom.body not in moving or not _meet(geom, plane):
                continue
            extent = _extent(meshes, geom, X_WG[:3, :3].T @ normal)
            if extent is None:
                continue
            low, high = extent
            depth = -float(normal @ (X_WG[:3, 3] - origin)) - low
            if depth > 0.0:
                yield Sunken(geom, model.bodies[geom.body].name, plane, depth, high - low)


def _extent(meshes: _Meshes, geom: Geom, n: Array) -> tuple[float, float] | None:
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
            vertices = meshes.vertices(geom)
            if vertices is None:
                return None
            along = vertices @ n
            return float(along.min()), float(along.max())
        case _:
            return None
    return -reach, reach


class _Meshes:
    """The vertices of meshes, each read once."""

    def __init__(self, model: Model) -> None:
        self._assets = {mesh.name: mesh for mesh in model.robot.meshes}
        self._known: dict[str, Array | None] = {}

    def vertices(self, geom: Geom) -> Array | None:
        """Those (n, 3) of a geom's mesh in its frame; None when they can't be had."""
        name = geom.shape.mesh if isinstance(geom.shape, MeshShape) else ""
        if name not in self._known:
            self._known[name] = self._read(name)
        return self._known[name]

    def _read(self, name: str) -> Array | None:
        mesh = self._assets.get(name)
        try:
            data = mesh_data(mesh) if mesh is not None else None
        except MeshError:
            return None
        return data.vertices if data is not None and len(data.vertices) else None


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
