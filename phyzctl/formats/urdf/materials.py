"""`<material>`: colour and texture, or a reference to one that is defined elsewhere."""

from __future__ import annotations

from typing import cast

from phyzctl.formats.urdf.parts import read_name
from phyzctl.formats.values import numbers, string
from phyzctl.formats.xmltree import Node
from phyzctl.issues import Issues
from phyzctl.robot.elements import Material, Rgba


def read_material(node: Node, issues: Issues) -> Material:
    """A material as written; its texture stays a URI, since nothing here draws it."""
    color, texture = node.find("color"), node.find("texture")
    rgba = None if color is None else numbers(color, "rgba", issues, count=4)
    return Material(
        read_name(node, "name", issues),
        rgba=cast("Rgba | None", rgba),
        texture=None if texture is None else string(texture, "filename", issues),
        source=node.source,
    )
