"""A reference to a name that nothing has.

What it checks
    `<gazebo reference="…">` and the parent of a `<sensor>` name a link or joint of the URDF; in
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
from phyzctl.lint.names import defined, unknown_name

CODE = codes.REFERENCE_UNKNOWN

_ALWAYS_THERE = frozenset({"world"})


def check(context: Context) -> Iterator[Finding]:
    """What a URDF's extensions refer to; the builder reports the rest."""
    document = context.document
    if context.dialect != "urdf" or document is None or document.root is None:
        return
    links = defined(document.root, "link") | _ALWAYS_THERE
    joints = defined(document.root, "joint")
    yield from fold(_gazebo(document.root, links | joints))
    yield from _sensors(document.root, links | joints)


def _gazebo(root: Node, names: frozenset[str]) -> Iterator[Finding]:
    for gazebo in root.findall("gazebo"):
        name = gazebo.get("reference")
        if name and name not in names:
            what = "link or joint"
            yield unknown_name(gazebo, "reference", names, what, severity=Severity.WARNING)


def _sensors(root: Node, names: frozenset[str]) -> Iterator[Finding]:
    for sensor in root.findall("sensor"):
        for parent in sensor.findall("parent"):
            for attribute in ("link", "joint"):
                name = parent.get(attribute)
                if name and name not in names:
                    yield unknown_name(parent, attribute, names, attribute)
