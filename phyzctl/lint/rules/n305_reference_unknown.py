"""A reference to a name that nothing has.

What it checks
    `<gazebo reference="…">` and the parent of a `<sensor>` name a link or joint of the URDF; in
    an SRDF, groups, end effectors and the rest name links, joints and groups; in
    MJCF, equalities, tendons, sensors, geoms and the rest name what exists. Joints of actuators
    and transmissions are A701, those of mimic J220, bodies of contact C920.

Why it matters
    What refers to nothing has no effect: friction, sensors and plugins of a `<gazebo>` element
    are lost in silence. MuJoCo refuses the file.

Fix
    Write the name as it is defined. Where one name is a letter away, a fix offers it.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.formats.xmltree import Node
from phyzctl.issues import Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.lint.names import Names
from phyzctl.lint.semantics import Semantics, semantics_of

CODE = codes.REFERENCE_UNKNOWN
FORMATS = frozenset({"urdf", "mjcf", "srdf"})

_ALWAYS_THERE = "world"
# By the tags of an SRDF: attributes, and of what kind the things are that they name.
_IN_SRDF = {
    "chain": (("base_link", "link"), ("tip_link", "link")),
    "link": (("name", "link"),),
    "group": (("name", "group"),),
    "group_state": (("group", "group"),),
    "end_effector": (("group", "group"), ("parent_link", "link"), ("parent_group", "group")),
    "virtual_joint": (("child_link", "link"),),
    "passive_joint": (("name", "joint"),),
    "joint_property": (("joint_name", "joint"),),
    "disable_default_collisions": (("link", "link"),),
}


def check(context: Context) -> Iterator[Finding]:
    """What a URDF's extensions refer to; the builder reports the rest."""
    semantics = semantics_of(context)
    if semantics is not None:
        yield from _of_srdf(semantics)
        return
    document = context.document
    if context.dialect != "urdf" or document is None or document.root is None:
        return
    names = Names(document.root, "link", "joint")
    yield from fold(_gazebo(document.root, names))
    yield from _sensors(document.root, names)


def _of_srdf(semantics: Semantics) -> Iterator[Finding]:
    """What groups, end effectors and the rest name; pairs are C920, states K708."""
    for node in semantics.root.iter():
        if node.tag == "group" and node.parent is semantics.root:
            continue
        for attribute, kind in _IN_SRDF.get(node.tag, ()):
            yield from semantics.unknown(node, attribute, kind)


def _gazebo(root: Node, names: Names) -> Iterator[Finding]:
    for gazebo in root.findall("gazebo"):
        if _is_unknown(gazebo.get("reference"), names):
            yield names.unknown(gazebo, "reference", "link or joint", Severity.WARNING)


def _sensors(root: Node, names: Names) -> Iterator[Finding]:
    for sensor in root.findall("sensor"):
        for parent in sensor.findall("parent"):
            for attribute in ("link", "joint"):
                if _is_unknown(parent.get(attribute), names):
                    yield names.unknown(parent, attribute, attribute)


def _is_unknown(name: str | None, names: Names) -> bool:
    return name is not None and name not in ("", _ALWAYS_THERE) and name not in names
