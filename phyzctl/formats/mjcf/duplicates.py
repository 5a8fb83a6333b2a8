"""Names given twice among elements that are only kept; the builder sees to all others."""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.formats.mjcf.model import Model
from phyzctl.formats.xmlnode import Node
from phyzctl.robot.namesakes import code_of_namesake, relation_to_first

_IN_TREE = frozenset({"camera", "light", "frame"})
_IN_SECTIONS = frozenset({"texture", "skin", "flex", "numeric", "text", "tuple"})


def report_duplicates(model: Model) -> None:
    """N301, or M015, for every element whose name another of its kind already has."""
    first: dict[tuple[str, str], Node] = {}
    for kind, node in _named(model):
        name = node.attributes.get("name")
        if not name:
            continue
        earlier = first.setdefault((kind, name), node)
        if earlier is not node:
            model.issues.add(
                code_of_namesake(node.source, earlier.source),
                f"{kind} {name!r} is defined twice",
                source=node.source,
                subject=node.subject,
                related=relation_to_first(earlier.source),
            )


def _named(model: Model) -> Iterator[tuple[str, Node]]:
    """Every element that can have a name, with the kind within which names differ."""
    for section in model.sections("worldbody"):
        for node in section.iter():
            if node.tag in _IN_TREE:
                yield node.tag, node
    for tag in ("asset", "custom", "deformable"):
        for node in model.elements(tag):
            if node.tag in _IN_SECTIONS:
                yield node.tag, node
