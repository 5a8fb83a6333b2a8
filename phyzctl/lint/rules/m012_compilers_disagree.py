"""Two compiler elements that disagree.

What it checks
    Where an MJCF file and its includes have several `<compiler>` elements, those that state
    angle, eulerseq, autolimits or meshdir state the same.

Why it matters
    MuJoCo merges them, and the last one holds for the whole model, also for what stands before
    it. An included robot written in degrees turns into nonsense below a scene in radians.

Fix
    State the setting once. To combine models of different settings, attach them instead of
    including them.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.formats.xmltree import Node
from phyzctl.issues import Code, Finding, Related, Severity
from phyzctl.lint.compilers import compilers
from phyzctl.lint.context import Context

CODE = Code("M012", "compilers-disagree", Severity.WARNING)
FORMATS = frozenset({"mjcf"})

_SETTINGS = ("angle", "eulerseq", "autolimits", "meshdir")


def check(context: Context) -> Iterator[Finding]:
    """Settings that a later compiler overrides."""
    stated: dict[str, Node] = {}
    for node in compilers(context):
        for name in _SETTINGS:
            value = node.get(name)
            if value is None:
                continue
            earlier = stated.get(name)
            if earlier is not None and earlier.get(name) != value:
                yield _finding(name, earlier, node)
            stated[name] = node


def _finding(name: str, earlier: Node, later: Node) -> Finding:
    message = (
        f"{name}={later.get(name)!r} overrides {earlier.get(name)!r}, which was written before, "
        "for the whole model"
    )
    related = (Related("overridden here", earlier.attribute_source(name)),)
    return Finding(later, message, name, subject="compiler", related=related)
