"""`<actuator>`: every shortcut turned into the general law, with its target and its ranges."""

from __future__ import annotations

from phyzctl import codes
from phyzctl.formats.mjcf.attributes import Attributes
from phyzctl.formats.mjcf.defaults import ACTUATORS
from phyzctl.formats.mjcf.laws import LAW_ATTRIBUTES, Law, read_law
from phyzctl.formats.mjcf.model import Model
from phyzctl.formats.mjcf.places import Place, origin_of
from phyzctl.formats.mjcf.unsupported import children_kept, report_unsupported
from phyzctl.formats.xmlnode import Node
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.mechanism import Activation, Actuator, Gain, Range, TransmissionKind

# The last of these that is written decides what is driven.
_TARGETS = {
    "body": TransmissionKind.BODY,
    "site": TransmissionKind.SITE,
    "cranksite": TransmissionKind.SLIDER_CRANK,
    "tendon": TransmissionKind.TENDON,
    "jointinparent": TransmissionKind.JOINT_IN_PARENT,
    "joint": TransmissionKind.JOINT,
}
_LIMITED = ("true", "false", "auto")
_WORDS = {"ctrl": "control", "force": "force", "act": "activation"}
_LACK = "it takes its place among the controls but exerts no force"
_FIRST_GEAR = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def read_actuators(model: Model, builder: RobotBuilder) -> None:
    """State the actuators of all `<actuator>` sections."""
    for node in model.elements("actuator"):
        actuator = _read_actuator(model, node) if node.tag in ACTUATORS else None
        if actuator is not None:
            builder.actuator(actuator)
            model.actuator_places.append(Place(origin_of(node), (0.0,)))


def _read_actuator(model: Model, node: Node) -> Actuator | None:
    attributes = model.attributes(node, "actuator")
    law = read_law(attributes, model.default_class(node))
    if law.gain is Gain.USER:
        report_unsupported(node, model.issues, f"<{node.tag}> as an actuator", _LACK)
    chosen = attributes.writes(*_TARGETS)
    if chosen is None:
        message = f"<{node.tag}> drives nothing; it needs one of {', '.join(reversed(_TARGETS))}"
        attributes.report_missing(codes.REQUIRED_MISSING, message)
        return None
    attributes.mark_read(*LAW_ATTRIBUTES)
    gear = attributes.overlaid("gear", 6) or ()
    group = attributes.integer("group")
    return Actuator(
        attributes.string("name") or None,
        attributes.string(chosen) or "",
        transmission=_TARGETS[chosen],
        kind=node.tag,
        gear=gear + _FIRST_GEAR[len(gear) :],
        ctrl_range=_range(attributes, law, "ctrl", limited=law.ctrl_limited),
        force_range=_range(attributes, law, "force"),
        act_range=_range(attributes, law, "act"),
        length_range=attributes.pair("lengthrange"),
        gain=law.gain,
        gain_parameters=_trimmed(law.gain_parameters),
        bias=law.bias,
        bias_parameters=_trimmed(law.bias_parameters),
        dynamics=law.dynamics,
        dynamics_parameters=_dynamics_parameters(law),
        damping_ratio=law.damping_ratio,
        inherit_range=law.inherit_range or None,
        activation_dim=attributes.integer("actdim"),
        act_early=attributes.boolean("actearly") or False,
        crank_length=attributes.number("cranklength"),
        slider_site=attributes.string("slidersite"),
        reference_site=attributes.string("refsite"),
        group=group,
        name_stated=bool(attributes.string("name")),
        extensions=(*attributes.extensions(), *children_kept(node, model.issues)),
        source=node.source,
    )


def _range(
    attributes: Attributes, law: Law, prefix: str, limited: bool | None = None
) -> Range | None:
    """The range where it limits anything; a reversed one is kept, to be judged."""
    bounds = attributes.pair(f"{prefix}range")
    word = attributes.keyword(f"{prefix}limited", _LIMITED)
    if prefix == _inherited_range(law):
        return None  # made from the joint's range when compiled
    stated = bounds is not None and bounds != (0.0, 0.0)
    if limited is None and word != "auto" and word is not None:
        limited = word == "true"
    if limited and not stated:
        message = f"{prefix}range is needed, since the {_WORDS[prefix]} is limited"
        attributes.report_missing(codes.REQUIRED_MISSING, message, f"{prefix}limited")
    return None if limited is False or not stated else bounds


def _inherited_range(law: Law) -> str | None:
    if not law.inherit_range:
        return None
    return "act" if law.dynamics is Activation.INTEGRATOR else "ctrl"


def _dynamics_parameters(law: Law) -> tuple[float, ...]:
    return () if law.dynamics is Activation.NONE else _trimmed(law.dynamics_parameters)


def _trimmed(values: tuple[float, ...]) -> tuple[float, ...]:
    """Without the zeros at the end, which say nothing; but at least one number of a law."""
    count = len(values)
    while count > 1 and values[count - 1] == 0.0:
        count -= 1
    return values[:count] if any(values) else ()
