"""What several elements of URDF share: names, poses, extensions."""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

from phyzctl.formats.values import numbers, string
from phyzctl.formats.xmltree import Node
from phyzctl.geometry.shapes import Vec3
from phyzctl.issues import Issues
from phyzctl.robot.elements import Extension, Quat

_NO_OFFSET: Vec3 = (0.0, 0.0, 0.0)

Pose = tuple[Vec3 | None, Vec3 | None, Quat | None]


def read_name(node: Node, attribute: str, issues: Issues) -> str | None:
    """A name or a reference as it stands; a macro left in it is reported and kept."""
    string(node, attribute, issues)
    return node.get(attribute)


def read_origin(node: Node, issues: Issues) -> Pose:
    """`xyz`, `rpy` and, from URDF 1.1 on, the quaternion (w x y z) of a child `<origin>`."""
    origin = node.find("origin")
    if origin is None:
        return _NO_OFFSET, _NO_OFFSET, None
    return (
        read_vector(origin, "xyz", issues, _NO_OFFSET),
        read_vector(origin, "rpy", issues, _NO_OFFSET),
        _read_quaternion(origin, issues),
    )


def read_vector(node: Node, name: str, issues: Issues, default: Vec3) -> Vec3 | None:
    """Three numbers; the default where the attribute isn't written, None when unreadable."""
    if node.get(name) is None:
        return default
    return cast("Vec3 | None", numbers(node, name, issues, count=3))


def _read_quaternion(node: Node, issues: Issues) -> Quat | None:
    """URDF writes x y z w, everything here w x y z."""
    stored = numbers(node, "quat_xyzw", issues, count=4)
    if stored is None:
        return None
    x, y, z, w = stored
    return (w, x, y, z)


def extension(node: Node) -> Extension:
    """An element kept verbatim."""
    return Extension(node.tag, node.raw_text(), source=node.source)


def extensions(node: Node, known: Collection[str]) -> tuple[Extension, ...]:
    """The children whose tags aren't `known`, kept verbatim."""
    return tuple(extension(child) for child in node.children if child.tag not in known)
