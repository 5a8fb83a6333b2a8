"""A URDF document into a RobotBuilder: the table of contents, and what stands at top level."""

from __future__ import annotations

from functools import cache

from phyzctl.formats.format import Reading, ReadOptions
from phyzctl.formats.grammar import Grammar
from phyzctl.formats.urdf.joints import read_joint
from phyzctl.formats.urdf.links import read_link
from phyzctl.formats.urdf.materials import read_material
from phyzctl.formats.urdf.meshes import MeshTable
from phyzctl.formats.urdf.parts import extension
from phyzctl.formats.urdf.transmissions import read_transmission
from phyzctl.formats.xmltree import Document, Node
from phyzctl.issues import Issues
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import Extension


@cache
def grammar() -> Grammar:
    """URDF's elements and attributes."""
    return Grammar.load("urdf")


def read(document: Document, issues: Issues, options: ReadOptions) -> Reading:
    """The Robot that a URDF document describes; faults go to `issues`, with their places."""
    root = document.root
    if root is None:
        return Reading(None, {document.path: document})
    grammar().check(document, issues)
    builder = RobotBuilder(
        root.get("name") or "",
        dialect="urdf",
        version=root.get("version"),
        source=root.source,
        implicit_links=False,
    )
    for name, value in root.attributes.items():
        if name.startswith("xmlns"):  # for the elements that are kept verbatim
            builder.extension(Extension(f"@{name}", value, source=root.source))
    meshes = MeshTable(document, issues, options)
    for node in root.children:
        _read_top_level(node, builder, meshes, issues)
    for mesh in meshes.assets:
        builder.mesh(mesh)
    meshes.report_missing()
    return Reading(builder.build(issues), {document.path: document})


def _read_top_level(node: Node, builder: RobotBuilder, meshes: MeshTable, issues: Issues) -> None:
    """Hand one child of `<robot>` to its reader; what is not URDF is kept verbatim."""
    if node.tag == "link":
        link = read_link(node, meshes, issues)
        if link is not None:
            builder.link(link, replace_earlier=False)
    elif node.tag == "joint":
        builder.joint(read_joint(node, issues))
    elif node.tag == "material":
        builder.material(read_material(node, issues))
    elif node.tag == "transmission":
        builder.transmission(read_transmission(node, issues))
    else:
        builder.extension(extension(node))
