"""`<asset>`: meshes, height fields, materials; textures are kept as they are."""

from __future__ import annotations

from collections.abc import Callable

from phyzctl import codes
from phyzctl.formats.assets import Resolved
from phyzctl.formats.mjcf.attributes import Attributes
from phyzctl.formats.mjcf.model import Model
from phyzctl.formats.mjcf.placement import ORIGIN, UPRIGHT
from phyzctl.formats.mjcf.references import file_stem
from phyzctl.formats.mjcf.unsupported import children_kept, kept, report_unsupported
from phyzctl.formats.xmlnode import Node
from phyzctl.geometry.shapes import Vec3
from phyzctl.issues import Fix
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import Material, Mesh
from phyzctl.robot.mechanism import Heightfield

_INERTIA_MODES = ("legacy", "exact", "convex", "shell")
_ONES: Vec3 = (1.0, 1.0, 1.0)


def read_assets(model: Model, builder: RobotBuilder) -> None:
    """State the assets of all `<asset>` sections."""
    for node in model.elements("asset"):
        reader = _READERS.get(node.tag)
        if reader is None:
            for extension in kept(node, model.issues):
                builder.extension(extension)
            continue
        _state(builder, reader(model, node))


def _state(builder: RobotBuilder, asset: Mesh | Heightfield | Material) -> None:
    if isinstance(asset, Mesh):
        builder.mesh(asset)
    elif isinstance(asset, Heightfield):
        builder.heightfield(asset)
    else:
        builder.material(asset)


def read_mesh(model: Model, node: Node) -> Mesh:
    """A mesh asset: a file, or vertices written out; built-in shapes are not made."""
    attributes = model.attributes(node, "mesh")
    uri = attributes.string("file")
    vertices = _triples(attributes, "vertex")
    if attributes.writes("builtin"):
        report_unsupported(node, model.issues, "builtin", "its vertices are not generated")
    elif not attributes.writes("file", "vertex"):
        attributes.report_missing(
            codes.GEOMETRY_MISSING, "the mesh has neither a file nor vertices"
        )
    return Mesh(
        _name(attributes, uri),
        uri=uri,
        scale=attributes.vector("scale", _ONES),
        vertices=vertices,
        faces=_faces(attributes, len(vertices or ())),
        refpos=attributes.vector("refpos") or ORIGIN,
        refquat=attributes.four("refquat") or UPRIGHT,
        inertia_mode=attributes.keyword("inertia", _INERTIA_MODES),
        name_stated=bool(node.get("name")),
        file=_file(model, attributes, uri),
        extensions=(*attributes.extensions(), *children_kept(node, model.issues)),
        source=node.source,
    )


def read_heightfield(model: Model, node: Node) -> Heightfield:
    """A height field: a file, or rows of numbers, the first row farthest along y."""
    attributes = model.attributes(node)
    uri = attributes.string("file")
    rows, columns = attributes.integer("nrow"), attributes.integer("ncol")
    elevation = attributes.numbers("elevation", None)
    if elevation is not None and len(elevation) != (rows or 0) * (columns or 0):
        message = f"elevation holds {len(elevation)} numbers, expected {rows or 0} x {columns or 0}"
        attributes.report(codes.NUMBER_UNREADABLE, message, "elevation")
        elevation = None
    attributes.string("content_type")
    return Heightfield(
        _name(attributes, uri),
        uri=uri,
        size=attributes.numbers("size", 4),
        rows=rows,
        columns=columns,
        elevation=elevation,
        name_stated=bool(node.get("name")),
        file=_file(model, attributes, uri),
        source=node.source,
    )


def _read_material(model: Model, node: Node) -> Material:
    attributes = model.attributes(node, "material")
    if not attributes.string("name"):
        attributes.report_missing(codes.REQUIRED_MISSING, "<material> needs a name")
    return Material(
        attributes.string("name"),
        attributes.four("rgba"),
        attributes.string("texture"),
        extensions=(*attributes.extensions(), *children_kept(node, model.issues)),
        source=node.source,
    )


def _name(attributes: Attributes, uri: str | None) -> str:
    """The stated name, or that of the file without folders and extension."""
    name = attributes.string("name")
    if name:
        return name
    if uri:
        return file_stem(uri)
    attributes.report_missing(
        codes.REQUIRED_MISSING, f"<{attributes.node.tag}> needs a name or a file"
    )
    return ""


def _file(model: Model, attributes: Attributes, uri: str | None) -> str | None:
    """Where the file was found; F601 when nowhere, and F602 for a path of one machine."""
    if not uri:
        return None
    found = model.settings(attributes.node).assets.mesh(uri)
    if found.path is None:
        looked = ", ".join(found.looked_in)
        note = f"; {found.note}" if found.note else ""
        attributes.report(
            codes.FILE_MISSING,
            f"there is no file {uri!r}{note}; looked at {looked}",
            "file",
            fix=_rename(attributes, found),
        )
    elif found.absolute:
        message = f"{uri!r} is a path of one machine; write one relative to this file"
        attributes.report(codes.PATH_NOT_PORTABLE, message, "file")
    return found.path


def _rename(attributes: Attributes, found: Resolved) -> Fix | None:
    span = attributes.node.attribute_span("file")
    if found.suggestion is None or span is None:
        return None
    edit = (*span, found.suggestion)
    return attributes.node.document.fix(f"write {found.suggestion!r}", edit, safe=True)


def _triples(attributes: Attributes, name: str) -> tuple[Vec3, ...] | None:
    values = attributes.numbers(name, None)
    if values is None:
        return None
    if len(values) % 3:
        message = f"{name} holds {len(values)} numbers, which is no multiple of 3"
        attributes.report(codes.NUMBER_UNREADABLE, message, name)
        return None
    return tuple(zip(values[::3], values[1::3], values[2::3], strict=True))


def _faces(attributes: Attributes, vertices: int) -> tuple[tuple[int, int, int], ...] | None:
    """Index triples; None where not written, or where they don't fit the vertices."""
    indices = attributes.integers("face", None)
    if indices is None:
        return None
    if len(indices) % 3 or (vertices and not all(0 <= i < vertices for i in indices)):
        message = f"face must hold triples of vertex numbers from 0 to {vertices - 1}"
        attributes.report(codes.NUMBER_UNREADABLE, message, "face")
        return None
    return tuple(zip(indices[::3], indices[1::3], indices[2::3], strict=True))


_READERS: dict[str, Callable[[Model, Node], Mesh | Heightfield | Material]] = {
    "mesh": read_mesh,
    "hfield": read_heightfield,
    "material": _read_material,
}
