"""A macro that was left unexpanded.

What it checks
    No `${…}`, `$(…)` or `xacro:` element is left in a description, and no name or reference of a
    URDF holds a placeholder such as `{side}`. It is a warning where only Gazebo or a
    transmission refers to it, and for all file names of meshes together.

Why it matters
    The value is not what the author sees in the expanded file, and names with a placeholder
    match nothing.

Fix
    Run xacro and check its output; replace a `{side}` by what the script that wrote the file
    should have filled in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from phyzctl import codes
from phyzctl.formats.xmltree import Node
from phyzctl.issues import Finding, Severity
from phyzctl.lint.context import Context

CODE = codes.MACRO_UNEXPANDED
FORMATS = frozenset({"urdf"})

_PLACEHOLDER = re.compile(r"(?<![$])\{[A-Za-z_][\w.]*\}")
_NAMES = {
    "link": "name",
    "joint": "name",
    "parent": "link",
    "child": "link",
    "mimic": "joint",
    "actuator": "name",
    "transmission": "name",
    "gazebo": "reference",
}
_ASIDE = frozenset({"gazebo", "transmission"})


def check(context: Context) -> Iterator[Finding]:
    """Placeholders in names; the reader reports the macros of xacro."""
    seen: set[str] = set()
    for node in context.nodes():
        attribute = _NAMES.get(node.tag, "")
        text = node.get(attribute)
        if text is not None and text not in seen and _PLACEHOLDER.search(text):
            seen.add(text)
            message = f'{attribute}="{text}" holds a placeholder that was not filled in'
            severity = Severity.WARNING if _is_aside(node) else None
            yield Finding(node, message, attribute, severity=severity)


def _is_aside(node: Node) -> bool:
    """True for what can be wrong without any consequence for links and joints."""
    within: Node | None = node
    while within is not None and within.tag not in _ASIDE:
        within = within.parent
    return within is not None
