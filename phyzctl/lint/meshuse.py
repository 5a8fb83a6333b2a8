"""Where the meshes of a robot are used, and what can be told of their files at little cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from pathlib import PurePosixPath

from phyzctl.geometry.shapes import MeshShape
from phyzctl.records import dataclass
from phyzctl.robot.elements import Geom, Link, Mesh
from phyzctl.robot.robot import Robot


@dataclass
class MeshUse:
    """A mesh asset and the geoms that show it, each with its link."""

    mesh: Mesh
    geoms: list[tuple[Link, Geom]] = field(default_factory=list)

    @property
    def collides(self) -> bool:
        """True when a geom that takes part in contact has the mesh."""
        return any(geom.collides for _, geom in self.geoms)

    @property
    def path(self) -> str:
        """The file where it was found, else the path as written; empty for an inline mesh."""
        return self.mesh.file or self.mesh.uri or ""

    @property
    def suffix(self) -> str:
        """The file's suffix in lower case, with its dot."""
        return PurePosixPath(self.path.replace("\\", "/")).suffix.lower()


def mesh_uses(robot: Robot) -> Iterator[MeshUse]:
    """Every mesh asset with the geoms that have it, in the order of the assets."""
    uses = {mesh.name: MeshUse(mesh) for mesh in robot.meshes}
    for link in robot.links:
        for geom in link.geoms:
            name = geom.shape.mesh if isinstance(geom.shape, MeshShape) else geom.fit_mesh
            if name in uses:
                uses[name].geoms.append((link, geom))
    yield from uses.values()


def place(robot: Robot, attribute: str) -> str:
    """Where an attribute of a mesh asset is written: "file" of URDF is called `filename`."""
    return "filename" if attribute == "file" and robot.dialect == "urdf" else attribute
