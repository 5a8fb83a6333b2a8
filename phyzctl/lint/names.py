"""References in the document: what is defined, and what to say of a name that isn't."""

from __future__ import annotations

from phyzctl.errors import did_you_mean
from phyzctl.formats.nearmiss import edit_distance
from phyzctl.formats.xmltree import Node
from phyzctl.issues import Finding, Fix, Severity
from phyzctl.lint.edits import set_attribute


def defined(root: Node, tag: str) -> frozenset[str]:
    """The names of all elements of that tag directly in the root, kept in the Robot or not."""
    return frozenset(name for node in root.findall(tag) if (name := node.get("name")))


def unknown_name(
    node: Node,
    attribute: str,
    names: frozenset[str],
    what: str,
    *,
    severity: Severity | None = None,
) -> Finding:
    """A finding on an attribute that names no `what`, with a fix where one name is near."""
    name = node.attributes[attribute]
    message = f"no {what} is called {name!r}{did_you_mean(name, names)}"
    fix = _nearest(node, attribute, names)
    return Finding(node, message, attribute, severity=severity, fix=fix)


def _nearest(node: Node, attribute: str, names: frozenset[str]) -> Fix | None:
    """Write the one name that is a letter away; None when none is, or several are."""
    written = node.attributes[attribute]
    near = [name for name in names if edit_distance(written, name, 1) == 1]
    if len(near) != 1:
        return None
    return node.document.fix(f"write {near[0]!r}", set_attribute(node, attribute, near[0]))
