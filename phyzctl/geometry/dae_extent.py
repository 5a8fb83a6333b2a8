"""The bounding box of a COLLADA file, without building its faces.

Positions are placed by the nodes of the scene; the file's unit and up axis are applied. Vertices
that no face uses count too. What is seldom (skins, instances of library nodes, look-at) is left
to `load_mesh`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phyzctl.geometry.foreign import in_metres_z_up
from phyzctl.geometry.meshdata import Extent, checked_extent

if TYPE_CHECKING:
    import xml.etree.ElementTree as ET

Array = NDArray[np.float64]

_MAX_DEPTH = 100
_WORD = re.compile(r"\S+")
_PLACING = frozenset({"matrix", "translate", "rotate", "scale"})
_UNUSUAL = frozenset({"lookat", "skew", "instance_node", "instance_controller"})


class UnusualError(Exception):
    """The file holds what only a complete reader understands."""


def dae_extent(path: Path, data: bytes) -> Extent:
    """The lowest and the highest corner (3,) [m]; raises UnusualError or MeshError."""
    import xml.etree.ElementTree as ET

    try:
        root = ET.fromstring(data)
    except (ET.ParseError, ValueError, LookupError) as error:  # the last: of an encoding
        raise UnusualError(str(error)) from None
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is found below
        points = [_moved(X, p) for X, mesh in _instances(root) for p in _positions(mesh)]
        if not points:
            raise UnusualError("no geometry is placed")
        placed = in_metres_z_up(path, np.concatenate(points))
    return checked_extent(path, placed)


def _instances(root: ET.Element) -> Iterator[tuple[Array, ET.Element]]:
    """Every `<mesh>` that the scene shows, with the pose and scale (4, 4) of its node."""
    meshes = {geometry.get("id"): geometry.find("mesh") for geometry in root.iter("geometry")}
    shown = root.find("scene/instance_visual_scene")
    scenes = {scene.get("id"): scene for scene in root.iter("visual_scene")}
    scene = scenes.get(_target(shown)) if shown is not None else None
    if scene is None:
        raise UnusualError("no scene is shown")
    waiting = [(np.eye(4), node, 0) for node in scene.findall("node")]
    while waiting:
        X, node, depth = waiting.pop()
        if depth > _MAX_DEPTH or any(child.tag in _UNUSUAL for child in node):
            raise UnusualError("a node is placed in an unusual way")
        for child in node:
            if child.tag in _PLACING:
                X = X @ _transform(child)
        waiting += [(X, inner, depth + 1) for inner in node.findall("node")]
        for instance in node.findall("instance_geometry"):
            mesh = meshes.get(_target(instance))
            if mesh is None:
                raise UnusualError("a geometry is missing or is no mesh")
            yield X, mesh


def _positions(mesh: ET.Element) -> Iterator[Array]:
    """The vertex positions (n, 3) of a mesh."""
    sources = {source.get("id"): source for source in mesh.findall("source")}
    for entry in mesh.findall("vertices/input"):
        if entry.get("semantic") == "POSITION":
            source = sources.get(_target(entry, "source"))
            accessor = source.find("technique_common/accessor") if source is not None else None
            if source is None or accessor is None or accessor.get("stride") != "3":
                raise UnusualError("positions are stored in an unusual way")
            numbers = _floats(source.find("float_array"))
            if len(numbers) % 3:
                raise UnusualError("positions are no triples")
            yield numbers.reshape(-1, 3)


def _transform(element: ET.Element) -> Array:
    numbers = _floats(element)
    X = np.eye(4)
    if element.tag == "matrix" and len(numbers) == 16:
        return numbers.reshape(4, 4)
    if element.tag == "translate" and len(numbers) == 3:
        X[:3, 3] = numbers
    elif element.tag == "scale" and len(numbers) == 3:
        X[:3, :3] = np.diag(numbers)
    elif element.tag == "rotate" and len(numbers) == 4 and np.linalg.norm(numbers[:3]) > 0.0:
        X[:3, :3] = _rotation(numbers[:3] / np.linalg.norm(numbers[:3]), math.radians(numbers[3]))
    else:
        raise UnusualError(f"a {element.tag} of {len(numbers)} numbers")
    return X


def _rotation(axis: Array, angle: float) -> Array:
    """Rodrigues' formula."""
    x, y, z = axis
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    turned: Array = np.eye(3) + math.sin(angle) * K + (1.0 - math.cos(angle)) * (K @ K)
    return turned


def _moved(X: Array, points: Array) -> Array:
    moved: Array = points @ X[:3, :3].T + X[:3, 3]
    return moved


def _floats(element: ET.Element | None) -> Array:
    try:
        words = _WORD.finditer(element.text or "")  # type: ignore[union-attr]
        return np.fromiter((float(word.group()) for word in words), np.float64)
    except (AttributeError, ValueError) as error:
        raise UnusualError(str(error)) from None


def _target(element: ET.Element, attribute: str = "url") -> str:
    return (element.get(attribute) or "").removeprefix("#")
