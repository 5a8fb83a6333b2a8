"""Which attributes name an element and which refer to one: what copies of a subtree rename."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from phyzctl.formats.xmlnode import Node

Name = tuple[str, str]
Rename = Callable[[Name], str]

# Elements with names, by tag. Those of a section are named within their section.
_NAMED_IN_TREE = {
    "body": "body",
    "joint": "joint",
    "freejoint": "joint",
    "geom": "geom",
    "site": "site",
    "camera": "camera",
    "light": "light",
    "frame": "frame",
}
_NAMED_IN_SECTION = {
    "tendon": "tendon",
    "actuator": "actuator",
    "equality": "equality",
    "sensor": "sensor",
    "keyframe": "key",
}
_NAMED_BY_TAG = frozenset({"mesh", "hfield", "texture", "material", "pair", "exclude"})
_NAMED_AFTER_FILE = frozenset({"mesh", "hfield", "texture"})

_REFERENCES = {
    "joint": "joint",
    "joint1": "joint",
    "joint2": "joint",
    "jointinparent": "joint",
    "tendon": "tendon",
    "tendon1": "tendon",
    "tendon2": "tendon",
    "site": "site",
    "site1": "site",
    "site2": "site",
    "sidesite": "site",
    "cranksite": "site",
    "slidersite": "site",
    "refsite": "site",
    "body": "body",
    "body1": "body",
    "body2": "body",
    "subtree1": "body",
    "subtree2": "body",
    "target": "body",
    "geom": "geom",
    "geom1": "geom",
    "geom2": "geom",
    "actuator": "actuator",
    "camera": "camera",
    "frame": "frame",
    "mesh": "mesh",
    "hfield": "hfield",
    "material": "material",
    "texture": "texture",
}
_TYPED_REFERENCES = {"objname": "objtype", "refname": "reftype"}
ASSETS = frozenset({"mesh", "hfield", "material", "texture"})
WORLD: Name = ("body", "world")


def kind_of(node: Node, section: str) -> str | None:
    """Within what kind the element's name is unique; None for what has no name."""
    if section in ("worldbody", "default"):
        return _NAMED_IN_TREE.get(node.tag) if section == "worldbody" else None
    if node.tag in _NAMED_BY_TAG and section in ("asset", "contact"):
        return node.tag
    return _NAMED_IN_SECTION.get(section)


def defined(nodes: Iterable[Node], section: str) -> Iterator[Name]:
    """The kind and name of every named element."""
    for node in nodes:
        name, kind = node.attributes.get("name"), kind_of(node, section)
        if name and kind:
            yield kind, name


def referred(node: Node) -> Iterator[Name]:
    """What an element and those in it refer to, assets left out."""
    for item in node.iter():
        for _, name in _references(item):
            if name[0] not in ASSETS:
                yield name


def rename_references(node: Node, rename: Rename) -> None:
    """Change what one element refers to."""
    changed = {attribute: rename(name) for attribute, name in _references(node)}
    if changed:
        node.attributes = node.attributes | changed


def rename_itself(node: Node, section: str, change: Callable[[str], str]) -> None:
    """Change an element's own name, also one that it only has from its file."""
    kind, name = kind_of(node, section), node.attributes.get("name")
    if not name and node.tag in _NAMED_AFTER_FILE:
        name = file_stem(node.attributes.get("file", ""))
    if kind and name:
        node.attributes = node.attributes | {"name": change(name)}


def file_stem(file: str) -> str:
    """The name of a file without folders and extension."""
    base = file.replace("\\", "/").rpartition("/")[2]
    stem, dot, _ = base.rpartition(".")
    return stem if dot else base


def _references(node: Node) -> Iterator[tuple[str, Name]]:
    """Each attribute of the element that refers to something, and to what."""
    for attribute, value in node.attributes.items():
        kind = _REFERENCES.get(attribute)
        if attribute in _TYPED_REFERENCES:
            kind = node.attributes.get(_TYPED_REFERENCES[attribute])
            kind = "body" if kind == "xbody" else kind
        if kind is not None and value:
            yield attribute, (kind, value)
