"""Something of a newer URDF than the file says it is.

What it checks
    Capsules and `quat_xyzw` stand in files of version 1.1 or later, and acceleration,
    deceleration and jerk limits in those of version 1.2. Without a version a file is a 1.0.

Why it matters
    urdfdom leaves out what is newer than the version: the link is turned back, the limit is none.
    For a capsule it refuses the whole file.

Fix
    Write the version on `<robot>`; the offered fix does. Programs built on an older urdfdom, as
    in ROS 2 until Kilted, know neither, and need a cylinder and rpy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from phyzctl.formats.xmltree import Document, Node
from phyzctl.issues import Code, Finding, Fix, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.edits import set_attribute
from phyzctl.lint.fold import fold

CODE = Code("P807", "feature-newer-than-version", Severity.WARNING)
FORMATS = frozenset({"urdf"})
TARGETS = frozenset({"gazebo", "kdl", "moveit", "pinocchio", "ros2"})

_SINCE: Mapping[tuple[str, str], str] = {
    ("origin", "quat_xyzw"): "1.1",
    ("limit", "acceleration"): "1.2",
    ("limit", "deceleration"): "1.2",
    ("limit", "jerk"): "1.2",
}
_KNOWN = ("1.0", "1.1", "1.2")


def check(context: Context) -> Iterator[Finding]:
    """Features that urdfdom leaves out."""
    document = context.document
    if document is None or document.root is None:
        return
    version = document.root.get("version") or "1.0"
    if version in _KNOWN:
        newest = max((since for _, _, since in _newer(document.root, version)), default=version)
        yield from fold(_findings(document, version, newest))


def _findings(document: Document, version: str, newest: str) -> Iterator[Finding]:
    root = document.root
    if root is None:
        return
    for node, attribute, since in _newer(root, version):
        refused = attribute is None
        what = f"<{node.tag}>" if refused else attribute
        end = "urdfdom refuses it" if refused else "urdfdom leaves it out"
        yield Finding(
            node,
            f"{what} came with URDF {since}, and this is a {version}: {end}",
            attribute,
            severity=Severity.ERROR if refused else None,
            fix=_fix(root, newest),
        )


def _newer(root: Node, version: str) -> Iterator[tuple[Node, str | None, str]]:
    """What is newer than the version: an attribute, or the whole element where that is None."""
    for node in root.iter():
        is_shape = node.parent is not None and node.parent.tag == "geometry"
        if node.tag == "capsule" and version < "1.1" and is_shape:
            yield node, None, "1.1"
        for attribute in node.attributes:
            since = _SINCE.get((node.tag, attribute))
            if since is not None and version < since:
                yield node, attribute, since


def _fix(root: Node, version: str) -> Fix:
    edit = set_attribute(root, "version", version)
    return root.document.fix(f'write version="{version}"', edit, safe=True)
