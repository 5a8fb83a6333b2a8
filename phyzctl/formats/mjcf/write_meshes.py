"""Mesh files that MuJoCo doesn't load, or not wholly, written out as OBJ beside the MJCF.

MuJoCo loads binary STL of up to 200,000 faces, MSH, and of an OBJ the first object.
"""

from __future__ import annotations

import hashlib
from pathlib import PurePath

from phyzctl import codes, disk
from phyzctl.formats.losses import Losses
from phyzctl.geometry.mesh import MeshData, MeshError, load_mesh
from phyzctl.robot.elements import Mesh

FOLDER = "meshes"

_LOADABLE = (".stl", ".obj", ".msh")
_MOST_STL_FACES = 200_000
_STL_HEADER, _STL_FACET = 84, 50
_NOT_IN_NAMES = str.maketrans(dict.fromkeys('/\\:*?"<>|', "_"))


class MeshFiles:
    """The files that go with the text, by their path from it."""

    def __init__(self, losses: Losses) -> None:
        self.files: dict[str, bytes] = {}
        self._losses = losses

    def converted(self, mesh: Mesh) -> str | None:
        """The path of a mesh's OBJ; None, and told, where it can't be read."""
        if mesh.file is None:
            return None
        try:
            data = load_mesh(mesh.file)
        except MeshError as error:
            message = f"a mesh can't be converted for MuJoCo: {error}"
            self._losses.add(codes.LOSS_OF_SHAPE, message, mesh)
            return None
        text = obj_text(data)
        digest = hashlib.sha256(text).hexdigest()[:8]
        path = f"{FOLDER}/{mesh.name.translate(_NOT_IN_NAMES)}-{digest}.obj"
        self.files[path] = text
        message = f"a mesh that MuJoCo can't load is written to {FOLDER}/ as OBJ, without colours"
        self._losses.add(codes.LOSS_OF_MESH_FORM, message, mesh)
        return path


def loads(mesh: Mesh, path: str | None) -> bool:
    """True for a mesh that MuJoCo loads as it is, as far as a look at its file tells."""
    suffix = PurePath(path or "").suffix.lower()
    if mesh.vertices is not None:
        return True
    if suffix not in _LOADABLE:
        return False
    if mesh.file is None or suffix == ".msh":
        return True
    try:
        data = disk.read_bytes(mesh.file)
    except OSError:
        return True  # which its own rule reports
    return _is_small_binary_stl(data) if suffix == ".stl" else _objects(data) < 2


def _is_small_binary_stl(data: bytes) -> bool:
    """A broken file is left to MuJoCo, which says what is wrong with it."""
    faces = int.from_bytes(data[80:84], "little")
    binary = len(data) >= _STL_HEADER and _STL_HEADER + _STL_FACET * faces <= len(data)
    return faces <= _MOST_STL_FACES if binary else not data.lstrip().startswith(b"solid")


def _objects(data: bytes) -> int:
    """How many objects or groups of an OBJ have faces of their own."""
    count, begun = 0, True
    for line in data.splitlines():
        if line[:2] in (b"o ", b"g "):
            begun = True
        elif line[:2] == b"f " and begun:
            count, begun = count + 1, False
    return count


def obj_text(mesh: MeshData) -> bytes:
    """An OBJ file of one object, numbers in their shortest spelling."""
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in mesh.vertices.tolist()]
    lines += [f"f {a} {b} {c}" for a, b, c in (mesh.faces + 1).tolist()]
    return ("\n".join(lines) + "\n").encode()
