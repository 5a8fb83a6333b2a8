"""`<sensor>` and `<keyframe>`: what is measured, and states by name."""

from __future__ import annotations

from phyzctl.formats.mjcf.attributes import Attributes
from phyzctl.formats.mjcf.model import Model
from phyzctl.formats.mjcf.unsupported import children_kept, kept
from phyzctl.formats.xmlnode import Node
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.mechanism import Keyframe, Sensor

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
_MOST_EMPTY_KEYS = 1000
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
    if attributes.owner("objname") is not None:
        measured = attributes.string("objtype"), attributes.string("objname")
    else:
        measured = _named(attributes, _OBJECTS)
    if attributes.owner("refname") is not None:
        reference = attributes.string("reftype"), attributes.string("refname")
    else:
        used = _attribute_of(attributes, _OBJECTS) if measured[1] is not None else None
        others = {name: kind for name, kind in _REFERENCES.items() if name != used}
        reference = _named(attributes, others)
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


def _attribute_of(attributes: Attributes, kinds: dict[str, str]) -> str | None:
    return next((name for name in kinds if name in attributes.node.attributes), None)


def _named(attributes: Attributes, kinds: dict[str, str]) -> tuple[str | None, str | None]:
    name = _attribute_of(attributes, kinds)
    return (None, None) if name is None else (kinds[name], attributes.string(name))


def read_keyframes(model: Model, builder: RobotBuilder) -> None:
    """State the keys of all `<keyframe>` sections, and as many empty ones as `nkey` asks for."""
    keys = [node for node in model.elements("keyframe") if node.tag == "key"]
    for node in keys:
        builder.keyframe(_read_key(model.attributes(node)))
    sizes = Attributes(tuple(reversed(model.sections("size"))), model.reader, model.issues)
    wanted = min(sizes.integer("nkey") or 0, _MOST_EMPTY_KEYS)
    for _ in range(wanted - len(keys)):
        builder.keyframe(Keyframe(source=sizes.place("nkey")))


def _read_key(attributes: Attributes) -> Keyframe:
    return Keyframe(
        attributes.string("name") or None,
        time=attributes.number("time"),
        qpos=attributes.numbers("qpos", None),
        qvel=attributes.numbers("qvel", None),
        act=attributes.numbers("act", None),
        ctrl=attributes.numbers("ctrl", None),
        mpos=attributes.numbers("mpos", None),
        mquat=attributes.numbers("mquat", None),
        source=attributes.source,
    )
