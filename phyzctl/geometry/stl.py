"""STL files, binary and ASCII.

Binary files are told by their size, not by their first word: many of them begin with `solid`.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phyzctl.geometry.meshdata import (
    Extent,
    MeshData,
    MeshError,
    checked,
    checked_extent,
    in_double,
)

_HEADER_SIZE = 84
_FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
_WORD = rb"\s+([-+.\dni]\S{0,63})"  # a number, perhaps nan or inf; not a word of a solid's name
_VERTEX = re.compile(rb"(?:^|\s)vertex" + 3 * _WORD + rb"(?=\s)", re.IGNORECASE)
_END_OF_FACET = re.compile(rb"\sendfacet(?:\s|$)", re.IGNORECASE)


def read_stl(path: Path, data: bytes) -> MeshData:
    """The mesh in the content `data` of an STL file; `path` is for messages."""
    corners = _corners(path, data)
    if len(corners) == 0:
        raise MeshError(f"{path} has no faces")
    faces = np.arange(3 * len(corners), dtype=np.int32).reshape(-1, 3)
    return checked(path, in_double(corners.reshape(-1, 3)), faces)


def stl_extent(path: Path, data: bytes) -> Extent:
    """The bounding box of an STL file's content."""
    return checked_extent(path, _corners(path, data).reshape(-1, 3))


def _corners(path: Path, data: bytes) -> NDArray[np.floating]:
    """The corners (faces, 3, 3) of every facet."""
    if len(data) >= _HEADER_SIZE:
        count = int.from_bytes(data[80:84], "little")
        needed = _HEADER_SIZE + _FACET.itemsize * count
        # Some exporters add bytes at the end. Text can't be mistaken for a count that fits: four
        # printable characters read as a number mean more than seven gigabytes.
        if needed <= len(data):
            facets = np.frombuffer(data, _FACET, count, _HEADER_SIZE)
            corners: NDArray[np.floating] = facets["corners"]
            return corners
    if data[:512].lstrip().lower().startswith(b"solid") and b"\0" not in data:
        return _ascii_corners(path, data)
    if len(data) < _HEADER_SIZE:
        raise MeshError(f"{path} is too short for an STL file: {len(data)} bytes")
    message = f"{path} announces {count} triangles in {needed} bytes but holds {len(data)} bytes"
    raise MeshError(message)


def _ascii_corners(path: Path, data: bytes) -> NDArray[np.floating]:
    words = (word for row in _VERTEX.finditer(data) for word in row.groups())
    try:
        numbers = np.fromiter(map(float, words), np.float64)
    except ValueError as error:
        raise MeshError(f"{path} has a vertex that is no number: {error}") from None
    vertices, facets = len(numbers) // 3, sum(1 for _ in _END_OF_FACET.finditer(data))
    if vertices != 3 * facets:
        message = f"{path} is cut off or broken: {vertices} vertices in {facets} whole facets"
        raise MeshError(message)
    return numbers.reshape(-1, 3, 3)
