"""MuJoCo's binary MSH files.

Four int32 counts (vertices, normals, texture coordinates, faces), then float32 vertices (3 each),
normals (3), texture coordinates (2) and int32 faces (3), all little-endian.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from phyzctl.geometry.meshdata import (
    Extent,
    MeshData,
    MeshError,
    checked,
    checked_extent,
    in_double,
)

_HEADER_SIZE = 16


def read_msh(path: Path, data: bytes) -> MeshData:
    """The mesh in the content `data` of an MSH file; `path` is for messages."""
    vertex_count, normals, textures, face_count = _counts(path, data)
    vertices = np.frombuffer(data, "<f4", 3 * vertex_count, _HEADER_SIZE)
    start = _HEADER_SIZE + 4 * (3 * vertex_count + 3 * normals + 2 * textures)
    faces = np.frombuffer(data, "<i4", 3 * face_count, start).reshape(-1, 3)
    return checked(path, in_double(vertices.reshape(-1, 3)), faces.astype(np.int32))


def msh_extent(path: Path, data: bytes) -> Extent:
    """The bounding box of an MSH file's content."""
    vertex_count = _counts(path, data)[0]
    vertices = np.frombuffer(data, "<f4", 3 * vertex_count, _HEADER_SIZE)
    return checked_extent(path, vertices.reshape(-1, 3))


def _counts(path: Path, data: bytes) -> tuple[int, int, int, int]:
    if len(data) < _HEADER_SIZE:
        raise MeshError(f"{path} is too short for an MSH file: {len(data)} bytes")
    vertices, normals, textures, faces = (int(n) for n in np.frombuffer(data, "<i4", 4))
    if min(vertices, normals, textures, faces) < 0:
        raise MeshError(f"{path} announces a negative number of vertices or faces")
    needed = _HEADER_SIZE + 4 * (3 * vertices + 3 * normals + 2 * textures + 3 * faces)
    if needed > len(data):
        message = f"{path} announces {needed} bytes of mesh but holds {len(data)} bytes"
        raise MeshError(message)
    return vertices, normals, textures, faces
