"""A link that MuJoCo merges with its parent, and that something names.

What it checks
    Links that `<gazebo>` sensors, `<sensor>` elements or the sensors of `<ros2_control>` stand on
    are not held by fixed joints, unless the file keeps these:
    `<mujoco><compiler fusestatic="false"/></mujoco>`.

Why it matters
    MuJoCo merges links that fixed joints hold when it reads a URDF. Their names are gone, and a
    bridge that looks for the body of the sensor doesn't find it.

Fix
    Write fusestatic="false", or add a `<site>` of that name in an MJCF file.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.formats.xmltree import Node
from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.robot.elements import JointKind

CODE = Code("P811", "link-fused-by-mujoco", Severity.INFO)
FORMATS = frozenset({"urdf"})
TARGETS = frozenset({"mujoco"})


def check(context: Context) -> Iterator[Finding]:
    """Names that a sensor needs and MuJoCo drops."""
    document = context.document
    if document is None or document.root is None or _keeps(document.root):
        return
    fixed = {joint.child for joint in context.robot.joints if joint.kind is JointKind.FIXED}
    message = "a sensor stands on the link, whose name is gone once MuJoCo has merged it"
    named = set(_sensor_links(document.root)) & fixed
    yield from fold(
        Finding(link, message, "name") for link in context.robot.links if link.name in named
    )


def _keeps(root: Node) -> bool:
    compilers = [node for block in root.findall("mujoco") for node in block.findall("compiler")]
    return any(node.get("fusestatic") == "false" for node in compilers)


def _sensor_links(root: Node) -> Iterator[str]:
    for child in root.children:
        if child.tag == "gazebo" and child.find("sensor") is not None:
            yield child.get("reference") or ""
        elif child.tag == "sensor":
            for parent in child.findall("parent"):
                yield parent.get("link") or ""
        elif child.tag == "ros2_control":
            for sensor in child.findall("sensor"):
                yield sensor.get("name") or ""
