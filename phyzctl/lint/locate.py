"""Where a finding points: from an element and an attribute path to a place in a file.

The path of a `Finding` goes from an element down: `"lower"` is an attribute of its own,
`"limit@lower"` one of its child `<limit>`, `"inertial/mass@value"` deeper, and `"limit@"` the
child itself. `"=elbow"` is the first attribute, of the element or anything in it, whose value
is `elbow`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from phyzctl.formats.xmltree import Document, Node
from phyzctl.issues import Finding, Source
from phyzctl.records import dataclass


@dataclass(frozen=True)
class Place:
    """A place in a document.

    `chain` are the XML elements from the finding's element (first) down to the one pointed at,
    as far as they are written; `missing` are the tags, and at their end perhaps the `@attribute`,
    that are not. `attribute` is the attribute pointed at, None for the element as a whole.
    `source` is the nearest thing that is written.
    """

    chain: tuple[Node, ...]
    missing: tuple[str, ...]
    attribute: str | None
    source: Source

    @property
    def node(self) -> Node:
        """The innermost element that is written."""
        return self.chain[-1]


def node_of(element: Any, documents: Mapping[str, Document]) -> Node | None:
    """The XML element that `element` was read from."""
    if isinstance(element, Node):
        return element
    source: Source | None = getattr(element, "source", None)
    if source is None or source.offset is None or source.path not in documents:
        return None
    return documents[source.path].node_at(source.offset)


def place_of(finding: Finding, documents: Mapping[str, Document]) -> Place | None:
    """Where a finding points; None for an element that stands in none of the documents."""
    node = node_of(finding.element, documents)
    return None if node is None else place_below(node, finding.attribute)


def place_below(node: Node, path: str | None) -> Place:
    """The place of an attribute path that starts at `node`."""
    if path is not None and path.startswith("="):
        return _place_of_value(node, path[1:])
    tags, attribute = split_path(path)
    chain = [node]
    missing: tuple[str, ...] = ()
    for depth, tag in enumerate(tags):
        child = chain[-1].find(tag)
        if child is None:
            missing = tuple(tags[depth:])
            break
        chain.append(child)
    innermost = chain[-1]
    if attribute is None or missing:
        return Place(tuple(chain), missing, attribute, innermost.source)
    if attribute not in innermost.attributes:
        missing = (f"@{attribute}",)
    return Place(tuple(chain), missing, attribute, innermost.attribute_source(attribute))


def _place_of_value(node: Node, value: str) -> Place:
    for holder in node.iter():
        for name, written in holder.attributes.items():
            if written == value:
                chain = (node,) if holder is node else (node, holder)
                return Place(chain, (), name, holder.attribute_source(name))
    return Place((node,), (), None, node.source)


def split_path(path: str | None) -> tuple[list[str], str | None]:
    """The child tags to walk down, and the attribute at their end."""
    if path is None:
        return [], None
    tags, at, attribute = path.rpartition("@")
    return (tags.split("/") if at and tags else []), attribute or None
