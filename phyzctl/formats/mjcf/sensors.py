"""`<sensor>`: what is measured, and on what."""

from __future__ import annotations

from phyzctl.formats.mjcf.attributes import Attributes
from phyzctl.formats.mjcf.model import Model
from phyzctl.formats.mjcf.unsupported import children_kept, kept
from phyzctl.formats.xmlnode import Node
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.mechanism import Sensor

# Attributes that name an object, with the kind of it, in the order in which they decide.
_OBJECTS = {
    "site": "site",
    "joint": "joint",
    "tendon": "tendon",
    "actuator": "actuator",
    "body": "body",
    "geom": "geom",
    "geom1": "geom",
    "subtree1": "xbody",
    "body1": "body",
    "camera": "camera",
}
_REFERENCES = {
    "geom2": "geom",
    "subtree2": "xbody",
    "body2": "body",
    "camera": "camera",
    "mesh": "mesh",
    "site": "site",
}


def read_sensors(model: Model, builder: RobotBuilder) -> None:
    """State the sensors of all `<sensor>` sections."""
    for node in model.elements("sensor"):
        if node.tag == "plugin":
            for extension in kept(node, model.issues):
                builder.extension(extension)
        else:
            builder.sensor(_read_sensor(model, node))


def _read_sensor(model: Model, node: Node) -> Sensor:
    attributes = model.attributes(node)
    measured_by = _attribute_of(node, _OBJECTS)
    if "objname" in node.attributes:
        measured = attributes.string("objtype"), attributes.string("objname")
        measured_by = None
    else:
        measured = _named(attributes, _OBJECTS, measured_by)
    if "refname" in node.attributes:
        reference = attributes.string("reftype"), attributes.string("refname")
    else:
        others = {name: kind for name, kind in _REFERENCES.items() if name != measured_by}
        reference = _named(attributes, others, _attribute_of(node, others))
    return Sensor(
        node.tag,
        attributes.string("name") or None,
        object_kind=measured[0],
        object_name=measured[1],
        reference_kind=reference[0],
        reference_name=reference[1],
        cutoff=attributes.number("cutoff"),
        noise=attributes.number("noise"),
        extensions=(*attributes.extensions(), *children_kept(node, model.issues)),
        source=node.source,
    )


def _attribute_of(node: Node, kinds: dict[str, str]) -> str | None:
    return next((name for name in kinds if name in node.attributes), None)


def _named(
    attributes: Attributes, kinds: dict[str, str], name: str | None
) -> tuple[str | None, str | None]:
    return (None, None) if name is None else (kinds[name], attributes.string(name))
