"""Wavefront OBJ files: vertices and faces; normals, textures, groups, lines are passed over."""

from __future__ import annotations

from pathlib import Path

from phyzctl import native
from phyzctl.geometry.meshdata import Extent, MeshData, MeshError, checked, checked_extent


def read_obj(path: Path, data: bytes, *, first_object: bool = False) -> MeshData:
    """The mesh in the content `data` of an OBJ file, all its objects as one.

    Quadrilaterals are split along the shorter diagonal, as MuJoCo does, and other polygons into
    a fan of triangles about their first corner. With `first_object`,
    faces after the first object or group that has any are left out. A file without faces is a
    cloud of points.
    """
    mesh = _read(path, data, "faces", first_object=first_object)
    return checked(path, mesh.vertices, mesh.triangles)


def obj_extent(path: Path, data: bytes) -> Extent:
    """The bounding box over all vertices of an OBJ file's content."""
    return checked_extent(path, _read(path, data, "extent").vertices)


def objects_with_faces(data: bytes) -> int:
    """How many objects or groups of an OBJ file's content have faces."""
    return native.read_obj(data, "objects").objects


def _read(
    path: Path, data: bytes, depth: native.ObjDepth, *, first_object: bool = False
) -> native.ObjMesh:
    try:
        return native.read_obj(data, depth, first_object=first_object)
    except ValueError as error:
        raise MeshError(f"{path} {error}") from None
