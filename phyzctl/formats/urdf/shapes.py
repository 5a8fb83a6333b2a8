"""`<geometry>`: one shape, in metres."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from phyzctl import codes
from phyzctl.formats.urdf.meshes import MeshTable
from phyzctl.formats.values import number, numbers
from phyzctl.formats.xmltree import Node
from phyzctl.geometry.shapes import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    MeshShape,
    Shape,
    Sphere,
    Vec3,
)
from phyzctl.issues import Issues


def read_geometry(geom: Node, meshes: MeshTable, issues: Issues) -> Shape | None:
    """The shape of a visual or collision; None, with an Issue, when there is none to read.

    Of several shapes the first counts: the grammar has reported the others.
    """
    geometry = geom.find("geometry")
    if geometry is None:
        return None
    shapes = [child for child in geometry.children if child.tag in _READERS or child.tag == "mesh"]
    if not shapes:
        found = ", ".join(f"<{child.tag}>" for child in geometry.children) or "nothing"
        message = f"<geometry> holds {found}, and no shape of URDF's: {', '.join(_SHAPE_TAGS)}"
        issues.add(codes.GEOMETRY_MISSING, message, source=geometry.source, subject=geom.subject)
        return None
    if shapes[0].tag == "mesh":
        name = meshes.add(shapes[0])
        return None if name is None else MeshShape(name)
    return _READERS[shapes[0].tag](shapes[0], issues)


def _read_sphere(node: Node, issues: Issues) -> Sphere:
    return Sphere(number(node, "radius", issues))


def _read_box(node: Node, issues: Issues) -> Box:
    return Box(cast("Vec3 | None", numbers(node, "size", issues, count=3)))


def _read_cylinder(node: Node, issues: Issues) -> Cylinder:
    return Cylinder(number(node, "radius", issues), number(node, "length", issues))


def _read_capsule(node: Node, issues: Issues) -> Capsule:
    return Capsule(number(node, "radius", issues), number(node, "length", issues))


def _read_drake_ellipsoid(node: Node, issues: Issues) -> Ellipsoid:
    axes = tuple(number(node, name, issues) for name in ("a", "b", "c"))
    return Ellipsoid(None if None in axes else cast("Vec3", axes))


_READERS: dict[str, Callable[[Node, Issues], Shape]] = {
    "box": _read_box,
    "sphere": _read_sphere,
    "cylinder": _read_cylinder,
    "capsule": _read_capsule,
    "drake:capsule": _read_capsule,
    "drake:ellipsoid": _read_drake_ellipsoid,
}
_SHAPE_TAGS = ("box", "sphere", "cylinder", "capsule", "mesh")
