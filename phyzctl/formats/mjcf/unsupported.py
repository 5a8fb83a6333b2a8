"""Elements that are kept verbatim because phyzctl doesn't interpret them.

What only concerns looks is kept in silence; what changes physics is said once per kind.
"""

from __future__ import annotations

from phyzctl import codes
from phyzctl.formats.xmlnode import Node
from phyzctl.issues import Issues
from phyzctl.robot.elements import Extension

# What the model lacks without them.
_CONSEQUENCES = {
    "body": "only the bodies in a <worldbody> are read",
    "composite": "the bodies, joints and geoms that it would generate are missing",
    "flexcomp": "the soft body that it would generate is missing",
    "flex": "this soft body is missing",
    "plugin": "what the plugin computes is missing",
    "extension": "its plugins are not loaded",
    "flexvert": "this constraint does not hold",
    "flexstrain": "this constraint does not hold",
    "distance": "this constraint does not hold",
}
_LOOKS = frozenset(
    {"camera", "light", "skin", "texture", "layer", "visual", "statistic", "custom", "size"}
)


def kept(node: Node, issues: Issues) -> list[Extension]:
    """The element as an Extension; nothing for one that MJCF doesn't know at this place."""
    if node.tag in _CONSEQUENCES:
        report_unsupported(node, issues, f"<{node.tag}>", _CONSEQUENCES[node.tag])
    elif node.tag not in _LOOKS:
        return []
    return [Extension(node.tag, node.raw_text(), source=node.source)]


def children_kept(node: Node, issues: Issues) -> list[Extension]:
    """The children of an element as Extensions."""
    return [extension for child in node.children for extension in kept(child, issues)]


def report_unsupported(node: Node, issues: Issues, what: str, lack: str) -> None:
    """U001, for the first of each kind of element."""
    message = f"{what} is not supported: {lack}"
    if all(issue.code is not codes.UNSUPPORTED or issue.message != message for issue in issues):
        issues.add(codes.UNSUPPORTED, message, source=node.source, subject=node.subject)
