"""What an SRDF refers to: the names of its robot, and those that it gives itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from phyzctl.errors import Suggester
from phyzctl.formats.xmltree import Node
from phyzctl.issues import Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.records import dataclass


@dataclass(frozen=True)
class Semantics:
    """An SRDF's root and the names that it may use; None for links and joints not known."""

    root: Node
    links: frozenset[str] | None
    joints: frozenset[str] | None
    groups: frozenset[str]
    suggester: Suggester = field(default_factory=Suggester)

    def known(self, kind: str) -> frozenset[str] | None:
        """The names of a kind: "link", "joint" or "group"."""
        return {"link": self.links, "joint": self.joints}.get(kind, self.groups)

    def unknown(
        self, node: Node, attribute: str, kind: str, severity: Severity | None = None
    ) -> Iterator[Finding]:
        """A finding on an attribute that names no `kind`, none where that isn't known."""
        name, names = node.get(attribute), self.known(kind)
        if name and names is not None and name not in names:
            hint = self.suggester.did_you_mean(name, names)
            message = f"no {kind} is called {name!r}{hint}"
            yield Finding(node, message, attribute, subject=subject_of(node), severity=severity)


def semantics_of(context: Context) -> Semantics | None:
    """The SRDF under judgement, None when there is none."""
    srdf = context.reading.srdf
    root = srdf.document.root if srdf is not None else None
    if srdf is None or root is None:
        return None
    links = joints = None
    if context.reading.robot is not None:
        links = frozenset(link.name for link in context.robot.links)
        virtual = (node.get("name") for node in root.findall("virtual_joint"))
        joints = frozenset(joint.name for joint in context.robot.joints)
        joints |= frozenset(name for name in virtual if name)
    groups = (node.get("name") for node in root.findall("group"))
    return Semantics(root, links, joints, frozenset(name for name in groups if name))


def subject_of(node: Node) -> str:
    """What a message calls an element of an SRDF: its tag, and its name or its owner's."""
    owner: Node = node
    while owner.parent is not None and owner.parent.parent is not None:
        owner = owner.parent
    name = owner.get("name")
    return f"{owner.tag} {name!r}" if name else owner.tag
