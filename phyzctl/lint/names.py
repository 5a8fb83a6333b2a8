"""References in the document: what is defined, and what to say of a name that isn't."""

from __future__ import annotations

from phyzctl.errors import Suggester
from phyzctl.formats.nearmiss import edit_distance
from phyzctl.formats.xmltree import Node
from phyzctl.issues import Finding, Fix, Severity
from phyzctl.lint.edits import set_attribute


class Names:
    """The names that references of one kind can have.

    Made of the document, not of the Robot: what could not stand in the tree is defined all the
    same.
    """

    def __init__(self, root: Node, *tags: str) -> None:
        named = (node.get("name") for node in root.children if node.tag in tags)
        self._known = {name for name in named if name}
        self._suggester = Suggester()

    def __contains__(self, name: str) -> bool:
        return name in self._known

    def unknown(
        self, node: Node, attribute: str, what: str, severity: Severity | None = None
    ) -> Finding:
        """A finding on an attribute that names no `what`, with a fix where one name is near."""
        name = node.attributes[attribute]
        hint = self._suggester.did_you_mean(name, self._known)
        fix = self._nearest(node, attribute) if hint else None
        message = f"no {what} is called {name!r}{hint}"
        return Finding(node, message, attribute, severity=severity, fix=fix)

    def _nearest(self, node: Node, attribute: str) -> Fix | None:
        """Write the one name that is a letter away; None when none is, or several are."""
        written = node.attributes[attribute]
        near = [name for name in self._known if edit_distance(written, name, 1) == 1]
        if len(near) != 1:
            return None
        edit = set_attribute(node, attribute, near[0])
        return node.document.fix(f"write {near[0]!r}", edit)
