"""Shapes and poses as scene files state them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from phyzctl import codes
from phyzctl.formats.tomltable import Table
from phyzctl.geometry.hull import convex_hull
from phyzctl.geometry.mesh import MeshError, load_mesh
from phyzctl.geometry.shapes import Box, Capsule, Cylinder, Ellipsoid, Plane, Sphere
from phyzctl.scene.items import SceneShape
from phyzctl.spatial import Array, pose

KINDS = ("sphere", "capsule", "cylinder", "box", "ellipsoid", "half-space", "mesh")


def read_pose(table: Table) -> Array:
    """The pose that `xyz` and one of `rpy` and `quat` (w x y z) state; a fault counts as none."""
    xyz, rpy, quat = table.vector("xyz", 3), table.vector("rpy", 3), table.vector("quat", 4)
    if table.states("rpy") and table.states("quat"):
        table.fault(codes.KEYS_CLASH, "'rpy' and 'quat' both state the rotation", "quat")
    if quat is not None and not any(quat):
        table.outside("quat", "must not be all 0", "quat")
        quat = None
    return pose(xyz=xyz, rpy=rpy, quat=quat)


def read_shape(table: Table, folder: Path) -> SceneShape | None:
    """The shape that `shape` and its sizes state, mesh files looked for in `folder`."""
    kind = table.word("shape", KINDS, required=True)
    match kind:
        case "sphere":
            radius = table.number("radius", required=True, above=0.0)
            return None if radius is None else Sphere(radius)
        case "capsule" | "cylinder":
            radius = table.number("radius", required=True, above=0.0)
            length = table.number("length", required=True, above=0.0)
            if radius is None or length is None:
                return None
            return Capsule(radius, length) if kind == "capsule" else Cylinder(radius, length)
        case "box":
            size = table.vector("size", 3, required=True, above=0.0)
            return None if size is None else Box((size[0], size[1], size[2]))
        case "ellipsoid":
            radii = table.vector("radii", 3, required=True, above=0.0)
            return None if radii is None else Ellipsoid((radii[0], radii[1], radii[2]))
        case "half-space":
            return Plane()
        case "mesh":
            return _mesh(table, folder)
        case _:
            return None


def _mesh(table: Table, folder: Path) -> SceneShape | None:
    """The convex hull of a mesh file."""
    name = table.name("file", required=True)
    scale = table.vector("scale", 3)
    if name is None:
        return None
    if scale is not None and not all(scale):
        table.outside("scale", "must not hold a 0")
        return None
    try:
        vertices = load_mesh(folder / name).vertices
        return convex_hull(vertices * (np.ones(3) if scale is None else np.array(scale)))
    except (MeshError, ValueError) as error:
        message = f"the mesh {name!r} can't be used: {error}"
        table.fault(codes.SCENE_FILE_UNUSABLE, message, "file")
        return None
