"""A macro that was left unexpanded.

What it checks
    No `${…}`, `$(…)` or `xacro:` element is left in a description, and no name or reference of a
    URDF holds a placeholder such as `{side}`.

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
from phyzctl.issues import Finding
from phyzctl.lint.context import Context

CODE = codes.MACRO_UNEXPANDED
FORMATS = frozenset({"urdf"})

_PLACEHOLDER = re.compile(r"(?<![$])\{[A-Za-z_][\w.]*\}")
_REFERENCES = {
    "link": ("name",),
    "joint": ("name",),
    "parent": ("link",),
    "child": ("link",),
    "mimic": ("joint",),
    "actuator": ("name",),
    "transmission": ("name",),
    "gazebo": ("reference",),
}


def check(context: Context) -> Iterator[Finding]:
    """Placeholders in names; the reader reports the macros of xacro."""
    seen: set[str] = set()
    for node in context.nodes():
        for attribute in _REFERENCES.get(node.tag, ()):
            text = node.get(attribute)
            if text is not None and text not in seen and _PLACEHOLDER.search(text):
                seen.add(text)
                yield _finding(node, attribute, text)


def _finding(node: Node, attribute: str, text: str) -> Finding:
    message = f'{attribute}="{text}" holds a placeholder that was not filled in'
    return Finding(node, message, attribute)
