"""Mesh formats that trimesh reads for us (COLLADA, glTF, PLY, OFF and more), if installed."""

from __future__ import annotations

import re
import struct
import xml.parsers.expat
from pathlib import Path
from typing import Any

import numpy as np

from phyzctl.geometry.meshdata import MeshData, MeshError, Vertices, checked

FOREIGN_SUFFIXES = (".3mf", ".dae", ".glb", ".gltf", ".off", ".ply")

_FAILURES = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    ImportError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    struct.error,
    xml.parsers.expat.ExpatError,
)

# COLLADA says which axis points up; ours is z. Rows give the new x, y, z.
_TO_Z_UP = {
    "X_UP": np.array([[0.0, -1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]]),
    "Y_UP": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]),
    "Z_UP": np.eye(3),
}
_ASSET = re.compile(r"<asset\b.*?</asset\s*>", re.DOTALL)
_METER = re.compile(r"<unit\b[^>]*?\bmeter\s*=\s*[\"']([^\"']*)[\"']")
_UP_AXIS = re.compile(r"<up_axis\s*>\s*([XYZ]_UP)\s*</up_axis\s*>")


def read_foreign(path: Path) -> MeshData:
    """All meshes of a file in one, each placed by the nodes of its scene.

    The unit and the up axis of a COLLADA file are applied: the result is in metres, z up.
    Raises MeshError when the file can't be read or a needed package is not installed.
    """
    with np.errstate(all="ignore"):  # what is not finite is found below
        scene = _load_scene(path)
        try:
            mesh: Any = scene.to_geometry() if scene.geometry else None
        except _FAILURES as error:
            raise MeshError(f"{path} could not be read: {_sentence(error)}") from None
    faces = np.array(getattr(mesh, "faces", ()), dtype=np.int32).reshape(-1, 3)
    if len(faces) == 0:
        raise MeshError(f"{path} has no faces")
    vertices = np.array(mesh.vertices, dtype=np.float64).reshape(-1, 3)
    if path.suffix.lower() == ".dae":
        vertices = in_metres_z_up(path, vertices)
    return checked(path, vertices, faces)


def _load_scene(path: Path) -> Any:
    try:
        import trimesh
    except ImportError:
        raise MeshError(f"{path} needs the extra 'mesh': pip install 'phyzctl[mesh]'") from None
    try:
        return trimesh.load_scene(path, process=False)
    except ImportError as error:
        message = f"{path} needs the extra 'mesh' ({error}): pip install 'phyzctl[mesh]'"
        raise MeshError(message) from None
    except _failures() as error:
        raise MeshError(f"{path} could not be read: {_sentence(error)}") from None


def _failures() -> tuple[type[Exception], ...]:
    """What a parser that meets nonsense may raise, pycollada's own error included."""
    try:
        from collada.common import DaeError
    except ImportError:
        return _FAILURES
    return (*_FAILURES, DaeError)


def _sentence(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__


def in_metres_z_up(path: Path, vertices: Vertices) -> Vertices:
    """Apply `<unit meter>` (default 1) and `<up_axis>` (default Y_UP) of a COLLADA file."""
    asset = _ASSET.search(path.read_text(encoding="utf-8", errors="replace"))
    head = asset.group() if asset else ""
    meter, up_axis = _METER.search(head), _UP_AXIS.search(head)
    turn = _TO_Z_UP[up_axis.group(1) if up_axis else "Y_UP"]
    try:
        scale = float(meter.group(1)) if meter else 1.0
    except ValueError:
        raise MeshError(f"{path} has a unit that is no number of metres") from None
    turned: Vertices = scale * vertices @ turn.T
    return turned
