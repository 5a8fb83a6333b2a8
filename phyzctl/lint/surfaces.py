"""The faces of a robot's meshes, read where a rule asks for them; each file once."""

from __future__ import annotations

from phyzctl import disk
from phyzctl.errors import PhyzctlError
from phyzctl.geometry.hull import convex_hull
from phyzctl.geometry.mesh import load_mesh
from phyzctl.geometry.meshdata import MeshData
from phyzctl.geometry.obj import objects_with_faces
from phyzctl.geometry.surface import SurfaceFacts, surface_facts
from phyzctl.robot.elements import Mesh

_OWN = (".stl", ".obj", ".msh")  # other formats take seconds to read


class Surfaces:
    """Facts about mesh files, in the files' own units. Broken files have none: F604 tells."""

    def __init__(self) -> None:
        self._facts: dict[str, SurfaceFacts | None] = {}

    def of(self, mesh: Mesh) -> SurfaceFacts | None:
        """The facts about a mesh asset's file; None when it can't be read or has no faces."""
        if mesh.file is None:
            return None
        if mesh.file not in self._facts:
            data = _loaded(mesh.file)
            self._facts[mesh.file] = None if data is None else surface_facts(data)
        return self._facts[mesh.file]

    def objects(self, mesh: Mesh) -> int:
        """How many objects or groups of an OBJ file have faces; 0 when it can't be read."""
        try:
            return 0 if mesh.file is None else objects_with_faces(disk.read_bytes(mesh.file))
        except OSError:
            return 0

    def hull_volume(self, mesh: Mesh) -> float | None:
        """The volume of the convex hull, in cubes of the file's unit; None as for `of`."""
        data = None if mesh.file is None else _loaded(mesh.file)
        try:
            return None if data is None else convex_hull(data.vertices).volume
        except PhyzctlError:
            return None


def _loaded(file: str) -> MeshData | None:
    if not file.lower().endswith(_OWN):
        return None
    try:
        data = load_mesh(file)
    except PhyzctlError:
        return None
    return None if data.is_cloud else data
