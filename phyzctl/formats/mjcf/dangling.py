"""References to what the Robot holds only as text: cameras, textures, materials of sites.

All other references are judged when the Robot is built.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.errors import Suggester
from phyzctl.formats.mjcf.model import Model
from phyzctl.formats.mjcf.references import defined, file_stem
from phyzctl.formats.xmlnode import Node

# Per section and tag, the attributes looked at, and the kind of thing that they name.
_LOOKED_AT: dict[tuple[str, str], dict[str, str]] = {
    ("worldbody", "site"): {"material": "material"},
    ("worldbody", "camera"): {"target": "body"},
    ("worldbody", "light"): {"target": "body", "texture": "texture"},
    ("asset", "material"): {"texture": "texture"},
    ("asset", "layer"): {"texture": "texture"},
    ("tendon", "spatial"): {"material": "material"},
    ("sensor", "camprojection"): {"camera": "camera"},
    ("sensor", "rangefinder"): {"camera": "camera"},
}


def report_dangling(model: Model) -> None:
    """N305 for every such reference to something that isn't there."""
    known = _known(model)
    suggester = Suggester()
    for section in ("worldbody", "asset", "tendon", "sensor"):
        for node in _nodes(model, section):
            for attribute, kind in _LOOKED_AT.get((section, node.tag), {}).items():
                name = node.attributes.get(attribute)
                if name and name not in known[kind]:
                    hint = suggester.did_you_mean(name, known[kind])
                    _report(model, node, attribute, hint)


def _known(model: Model) -> dict[str, set[str]]:
    known: dict[str, set[str]] = {"body": {"world"}}
    for kind in ("material", "texture", "camera"):
        known[kind] = set()
    for section in ("worldbody", "asset"):
        for kind, name in defined(_nodes(model, section), section):
            known.setdefault(kind, set()).add(name)
    for node in model.elements("asset"):
        if node.tag == "texture":
            known["texture"].add(file_stem(node.attributes.get("file", "")))
    return known


def _nodes(model: Model, section: str) -> Iterator[Node]:
    for top in model.sections(section):
        yield from top.iter()


def _report(model: Model, node: Node, attribute: str, hint: str) -> None:
    message = f"{attribute} {node.attributes[attribute]!r} is not defined{hint}"
    place = node.attribute_source(attribute)
    model.issues.add(codes.REFERENCE_UNKNOWN, message, source=place, subject=node.subject)
