"""`<link>`: inertial, visuals, collisions."""

from __future__ import annotations

from phyzctl.formats.urdf.materials import read_material
from phyzctl.formats.urdf.meshes import MeshTable
from phyzctl.formats.urdf.parts import extension, extensions, read_name, read_origin
from phyzctl.formats.urdf.shapes import read_geometry
from phyzctl.formats.values import number
from phyzctl.formats.xmltree import Node
from phyzctl.issues import Issues
from phyzctl.robot.elements import Extension, Geom, GeomRole, Inertia, Inertial, Link

_ROLES = {"visual": GeomRole.VISUAL, "collision": GeomRole.COLLISION}


def read_link(node: Node, meshes: MeshTable, issues: Issues) -> Link | None:
    """A link; None when it has no name, which the grammar has reported."""
    name = read_name(node, "name", issues)
    if name is None:
        return None
    inertial = node.find("inertial")
    geoms = [child for child in node.children if child.tag in _ROLES]
    return Link(
        name,
        inertial=None if inertial is None else _read_inertial(inertial, issues),
        geoms=tuple(_read_geom(geom, meshes, issues) for geom in geoms),
        extensions=extensions(node, ("inertial", *_ROLES)),
        source=node.source,
    )


def _read_inertial(node: Node, issues: Issues) -> Inertial:
    xyz, rpy, quat = read_origin(node, issues)
    mass, inertia = node.find("mass"), node.find("inertia")
    return Inertial(
        mass=None if mass is None else number(mass, "value", issues),
        inertia=None if inertia is None else _read_inertia(inertia, issues),
        xyz=xyz,
        rpy=rpy,
        quat=quat,
        source=node.source,
    )


def _read_inertia(node: Node, issues: Issues) -> Inertia | None:
    """The tensor, None when any entry is missing or unreadable."""
    ixx, ixy, ixz = (number(node, name, issues) for name in ("ixx", "ixy", "ixz"))
    iyy, iyz, izz = (number(node, name, issues) for name in ("iyy", "iyz", "izz"))
    if ixx is None or ixy is None or ixz is None or iyy is None or iyz is None or izz is None:
        return None
    return Inertia(ixx, ixy, ixz, iyy, iyz, izz)


def _read_geom(node: Node, meshes: MeshTable, issues: Issues) -> Geom:
    xyz, rpy, quat = read_origin(node, issues)
    materials = node.findall("material") if node.tag == "visual" else []
    return Geom(
        read_geometry(node, meshes, issues),
        name=read_name(node, "name", issues),
        role=_ROLES[node.tag],
        xyz=xyz,
        rpy=rpy,
        quat=quat,
        material=read_material(materials[0], issues) if materials else None,
        extensions=_geom_extensions(node, materials[1:]),
        source=node.source,
    )


def _geom_extensions(node: Node, more_materials: list[Node]) -> tuple[Extension, ...]:
    known = ("origin", "geometry", "material") if node.tag == "visual" else ("origin", "geometry")
    return extensions(node, known) + tuple(extension(material) for material in more_materials)
