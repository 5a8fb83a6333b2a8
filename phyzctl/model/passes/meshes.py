"""Mesh assets as compiling needs them: loaded once, placed and scaled as MJCF says."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from phyzctl import codes
from phyzctl.geometry.mesh import MeshData, MeshError, load_mesh
from phyzctl.geometry.mesh_inertia import mesh_inertia
from phyzctl.geometry.meshdata import check_finite
from phyzctl.issues import Issues
from phyzctl.model.passes.values import vector
from phyzctl.robot import elements
from phyzctl.robot.robot import Robot
from phyzctl.robot.subject import describe
from phyzctl.spatial import RigidInertia, rotation_from_quat

_DEFAULT_MODE = "legacy"


class MeshInertias:
    """Mass properties of a Robot's meshes at unit density, each computed on first use."""

    def __init__(self, robot: Robot, issues: Issues) -> None:
        self._meshes = {mesh.name: mesh for mesh in robot.meshes}
        self._known: dict[tuple[str, str | None], RigidInertia | None] = {}
        self._issues = issues

    def unit(self, name: str, mode: str | None = None) -> RigidInertia | None:
        """Of the mesh of that name, in its own frame; None (and an Issue) if it can't be had.

        `mode` is a mode of `mesh_inertia`; the mesh's own when not given.
        """
        if (name, mode) not in self._known:
            mesh = self._meshes.get(name)
            self._known[name, mode] = None if mesh is None else self._measured(mesh, mode)
        return self._known[name, mode]

    def _measured(self, mesh: elements.Mesh, mode: str | None) -> RigidInertia | None:
        chosen = mode or mesh.inertia_mode or _DEFAULT_MODE
        try:
            data = mesh_data(mesh)
            return None if data is None else mesh_inertia(data, chosen)
        except MeshError as error:
            source, subject = mesh.source, describe(mesh)
            self._issues.add(codes.MESH_UNREADABLE, str(error), source=source, subject=subject)
            return None


def mesh_data(mesh: elements.Mesh) -> MeshData | None:
    """The triangles of a mesh asset in its frame [m]; None when its file is missing.

    The vertices are taken out of the frame (`refpos`, `refquat`), then scaled. Raises MeshError.
    """
    if mesh.vertices is not None:
        vertices = np.array(mesh.vertices, dtype=np.float64).reshape(-1, 3)
        faces = np.array(mesh.faces or (), dtype=np.int32).reshape(-1, 3)
        data = MeshData(vertices, faces)
    elif mesh.file is not None:
        data = load_mesh(mesh.file)
    else:
        return None
    scale = np.array(mesh.scale if mesh.scale is not None else (1.0, 1.0, 1.0))
    with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is found below
        moved = (data.vertices - vector(mesh.refpos)) @ rotation_from_quat(mesh.refquat)
        vertices = moved * scale
        mirrored = scale.prod() < 0.0
    check_finite(Path(mesh.file or mesh.name), vertices)
    return MeshData(vertices, np.ascontiguousarray(data.faces[:, ::-1]) if mirrored else data.faces)
