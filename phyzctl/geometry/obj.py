"""Wavefront OBJ files: vertices and faces; normals, textures, groups, lines are passed over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phyzctl.geometry.meshdata import (
    Extent,
    Faces,
    MeshData,
    MeshError,
    Vertices,
    checked,
    checked_extent,
)

_BLOCK = 1 << 18
_LONGEST = 1 << 20
_LINE_END = re.compile(rb"(?<!\\)(?<!\\\r)[\r\n]")  # that no backslash takes back
_OF_FACES = frozenset({b"f ", b"o ", b"g "})
_NO_FACES: Faces = np.empty((0, 3), np.int32)


def read_obj(path: Path, data: bytes, *, first_object: bool = False) -> MeshData:
    """The mesh in the content `data` of an OBJ file, all its objects as one.

    Quadrilaterals are split along the shorter diagonal, as MuJoCo does, and other polygons into
    a fan of triangles about their first corner. With `first_object`,
    faces after the first object or group that has any are left out. A file without faces is a
    cloud of points.
    """
    vertices, parts = _scanned(path, data)
    found, seen_face = [], False
    for part in parts:
        lines = _lines(data[part.start : part.end])
        end = _end_of_first_object(lines, seen_face=seen_face) if first_object else len(lines)
        faces = _triangles(path, lines[:end], vertices, part.vertices_above)
        found.append(faces)
        seen_face = seen_face or len(faces) > 0
        if end < len(lines):
            break
    return checked(path, vertices, np.concatenate([_NO_FACES, *found]))


def obj_extent(path: Path, data: bytes) -> Extent:
    """The bounding box over all vertices of an OBJ file's content."""
    corners = [np.empty((0, 3))]
    for start, end in _blocks(path, data):
        vertices = _vertices(path, _lines(data[start:end]))
        if len(vertices):
            corners.append(np.stack([vertices.min(axis=0), vertices.max(axis=0)]))
    return checked_extent(path, np.concatenate(corners))


class _Part(NamedTuple):
    """A block that faces or objects begin in, and how many vertices stand above it."""

    start: int
    end: int
    vertices_above: int


def _scanned(path: Path, data: bytes) -> tuple[Vertices, list[_Part]]:
    """All vertices, and where there is more to read."""
    found, parts, above = [np.empty((0, 3))], [], 0
    for start, end in _blocks(path, data):
        lines = _lines(data[start:end])
        if any(line[:2] in _OF_FACES for line in lines):
            parts.append(_Part(start, end, above))
        vertices = _vertices(path, lines)
        found.append(vertices)
        above += len(vertices)
    return np.concatenate(found), parts


def _blocks(path: Path, data: bytes) -> Iterator[tuple[int, int]]:
    """Pieces of whole lines, small, since words in Python take many times their letters."""
    start = 0
    while start < len(data):
        cut = _LINE_END.search(data, start + _BLOCK)
        end = len(data) if cut is None else cut.end()
        if end - start > _LONGEST:
            raise MeshError(f"{path} has a line of more than {_LONGEST >> 20} MiB")
        yield start, end
        start = end


def _lines(data: bytes) -> list[bytes]:
    if b"\\" in data:
        data = data.replace(b"\\\r\n", b" ").replace(b"\\\n", b" ")
    if b"\t" in data:
        data = data.replace(b"\t", b" ")
    return [line.lstrip() for line in data.splitlines()]


def _vertices(path: Path, lines: list[bytes]) -> Vertices:
    """The first three numbers of every `v` line; a weight or a colour may follow."""
    rows = [line.split(None, 4)[1:4] for line in lines if line[:2] == b"v "]
    try:
        words = chain.from_iterable(rows)
        numbers = np.fromiter(map(float, words), np.float64)
    except ValueError as error:
        raise MeshError(f"{path} has a vertex that is no number: {error}") from None
    if len(numbers) != 3 * len(rows):
        raise MeshError(f"{path} has a vertex of fewer than three numbers")
    return numbers.reshape(-1, 3)


def _triangles(path: Path, lines: list[bytes], vertices: Vertices, above: int) -> Faces:
    """The faces in some lines, above which there are so many vertices."""
    polygons = [line.split()[1:] for line in lines if line[:2] == b"f "]
    sizes = np.fromiter(map(len, polygons), np.int64, len(polygons))
    if len(sizes) and sizes.min() < 3:
        raise MeshError(f"{path} has a face of fewer than three corners")
    try:
        words = (word.partition(b"/")[0] for word in chain.from_iterable(polygons))
        written = np.fromiter(map(int, words), np.int64, int(sizes.sum()))
    except (ValueError, OverflowError):
        raise MeshError(f"{path} has a face whose corner is no vertex number") from None
    corners = _zero_based(path, lines, written, sizes, above)
    if len(corners) and (corners.min() < 0 or corners.max() >= len(vertices)):
        count = len(vertices)
        raise MeshError(f"{path} has a face that names a vertex outside its {count} vertices")
    return _fan(_on_short_diagonal(vertices, corners, sizes), sizes)


def _end_of_first_object(lines: list[bytes], *, seen_face: bool) -> int:
    """The line where the second object or group begins that may have faces of its own."""
    for number, line in enumerate(lines):
        seen_face = seen_face or line[:2] == b"f "
        if seen_face and line[:2] in {b"o ", b"g "}:
            return number
    return len(lines)


def _zero_based(
    path: Path,
    lines: list[bytes],
    written: NDArray[np.int64],
    sizes: NDArray[np.int64],
    above: int,
) -> NDArray[np.int64]:
    """Indices from 0, out of those in the file, which count from 1, or backwards if negative."""
    if (written == 0).any():
        raise MeshError(f"{path} has a face that names vertex 0, but vertices count from 1")
    if not (written < 0).any():
        return written - 1
    # A negative number counts back from the last vertex above the face.
    is_vertex = np.array([line[:2] == b"v " for line in lines], dtype=bool)
    is_face = np.array([line[:2] == b"f " for line in lines], dtype=bool)
    vertices_above = np.repeat(above + np.cumsum(is_vertex)[is_face], sizes)
    return np.where(written > 0, written - 1, vertices_above + written)


def _on_short_diagonal(
    vertices: Vertices, corners: NDArray[np.int64], sizes: NDArray[np.int64]
) -> NDArray[np.int64]:
    """`corners` with each quadrilateral turned to begin at an end of its shorter diagonal.

    The diagonal from the second corner wins when both are equal.
    """
    starts = (np.cumsum(sizes) - sizes)[sizes == 4]
    places = starts[:, None] + np.arange(4)
    points = vertices[corners[places]]
    first = np.square(points[:, 2] - points[:, 0]).sum(axis=1)
    second = np.square(points[:, 3] - points[:, 1]).sum(axis=1)
    turned = places[second <= first]
    result = corners.copy()
    result[turned] = corners[np.roll(turned, -1, axis=1)]
    return result


def _fan(corners: NDArray[np.int64], sizes: NDArray[np.int64]) -> Faces:
    """Triangles (m, 3) out of polygons whose corners stand one after the other."""
    starts = np.cumsum(sizes) - sizes
    triangles = sizes - 2
    first = np.repeat(starts, triangles)
    step = np.arange(len(first)) - np.repeat(np.cumsum(triangles) - triangles, triangles)
    second = first + step + 1
    faces = np.stack([corners[first], corners[second], corners[second + 1]], axis=1)
    return faces.astype(np.int32)
