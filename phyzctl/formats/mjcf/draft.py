"""A tree of elements that may be changed: what the macros of MJCF work on.

Its nodes are copies, which know the place in the file that they stem from; the documents stay
as they were read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from phyzctl.formats.mjcf.include import copied
from phyzctl.formats.xmlnode import Node

# Sections whose elements speak of the tree's, later ones also of earlier ones' (an actuator
# of a tendon, a sensor of an actuator).
REFERRING = ("contact", "tendon", "equality", "actuator", "sensor")


class Draft:
    """The root of a copied tree, with ways to replace elements of it."""

    def __init__(self, root: Node) -> None:
        self.root = deep_copy(root)
        self._holders: dict[int, Node] = {}
        self._hold(self.root)

    def _hold(self, top: Node) -> None:
        for node in top.iter():
            for child in node.children:
                self._holders[id(child)] = node

    @property
    def held(self) -> int:
        """How many elements were put into this tree so far."""
        return len(self._holders)

    def holder(self, node: Node) -> Node:
        """The element that a node stands in, in this tree."""
        return self._holders[id(node)]

    def innermost_first(self, *tags: str) -> list[Node]:
        """All elements of the worldbody with such a tag, as written, those inside before theirs."""
        found = []
        waiting = self.root.findall("worldbody")
        while waiting:
            node = waiting.pop()
            found.append(node)
            waiting.extend(node.children)
        return [node for node in reversed(found) if node.tag in tags]

    def in_tree(self) -> Iterator[Node]:
        """Every element of the worldbody."""
        for section in self.root.findall("worldbody"):
            yield from section.iter()

    def named(self, tag: str) -> Iterator[Node]:
        """Those of a tag that have a name."""
        return (node for node in self.in_tree() if node.tag == tag and node.get("name"))

    def elements(self, tag: str) -> list[Node]:
        """What stands in the sections of a tag, together."""
        return [child for section in self.root.findall(tag) for child in section.children]

    def replace(self, node: Node, others: Iterable[Node]) -> None:
        """Put other elements into the place of one."""
        holder = self.holder(node)
        index = next(i for i, child in enumerate(holder.children) if child is node)
        new = list(others)
        holder.children[index : index + 1] = new
        for child in new:
            self._holders[id(child)] = holder
            self._hold(child)

    def append(self, tag: str, nodes: Iterable[Node], like: Node) -> None:
        """Add elements to the last section of a tag; `like` gives a new one its place."""
        sections = self.root.findall(tag)
        new = list(nodes)
        if not new:
            return
        if not sections:
            section = Node(tag, {}, like.document, self.root, like.offset)
            self.root.children.append(section)
            sections = [section]
        sections[-1].children.extend(new)
        for node in new:
            self._holders[id(node)] = sections[-1]
            self._hold(node)

    def remove(self, nodes: Iterable[Node]) -> None:
        """Take elements out of the tree."""
        gone = {id(node): self.holder(node) for node in nodes}
        for holder in {id(holder): holder for holder in gone.values()}.values():
            holder.children = [child for child in holder.children if id(child) not in gone]


def size(node: Node) -> int:
    """How many elements an element and all in it are."""
    return sum(1 for _ in node.iter())


def deep_copy(node: Node, change: Callable[[Node], None] | None = None) -> Node:
    """A copy of an element and all in it; `change` sees every copy."""
    top = copied(node)
    waiting = [top]
    while waiting:
        parent = waiting.pop()
        if change is not None:
            change(parent)
        parent.children = [copied(child) for child in parent.children]
        waiting.extend(parent.children)
    return top
