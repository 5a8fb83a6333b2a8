"""`<equality>`, `<tendon>` and `<contact>`."""

from __future__ import annotations

from phyzctl import codes
from phyzctl.formats.mjcf.attributes import Attributes
from phyzctl.formats.mjcf.model import Model
from phyzctl.formats.mjcf.unsupported import kept
from phyzctl.formats.xmlnode import Node
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.mechanism import (
    ContactPair,
    Equality,
    EqualityKind,
    Exclude,
    Range,
    Tendon,
    TendonStep,
)

_EQUALITIES = {kind.value: kind for kind in EqualityKind if kind is not EqualityKind.FLEX}
_LIMITED = ("true", "false", "auto")


def read_equalities(model: Model, builder: RobotBuilder) -> None:
    """State the constraints of all `<equality>` sections."""
    for node in model.elements("equality"):
        kind = _EQUALITIES.get(node.tag)
        if kind is None:
            for extension in kept(node, model.issues):
                builder.extension(extension)
            continue
        attributes = model.attributes(node, "equality")
        equality = _read_equality(attributes, kind)
        if equality.first:
            builder.equality(equality)


def _read_equality(attributes: Attributes, kind: EqualityKind) -> Equality:
    tied = kind.value
    if kind in (EqualityKind.CONNECT, EqualityKind.WELD):
        tied = "site" if attributes.owner("site1") is not None else "body"
    active = attributes.boolean("active")
    return Equality(
        kind,
        attributes.string(f"{tied}1") or "",
        attributes.string(f"{tied}2") or None,
        name=attributes.string("name") or None,
        objects=tied,
        anchor=attributes.vector("anchor", None),
        relpose=attributes.numbers("relpose", 7),
        torque_scale=attributes.number("torquescale"),
        polynomial=attributes.numbers("polycoef", (1, 5)),
        active=active is not False,
        solref=attributes.overlaid("solref", 2),
        solimp=attributes.overlaid("solimp", 5),
        source=attributes.source,
    )


def read_tendons(model: Model, builder: RobotBuilder) -> None:
    """State the tendons of all `<tendon>` sections."""
    for node in model.elements("tendon"):
        if node.tag in ("fixed", "spatial"):
            builder.tendon(_read_tendon(model, node))


def _read_tendon(model: Model, node: Node) -> Tendon:
    attributes = model.attributes(node, "tendon")
    path = tuple(_read_step(model.attributes(child)) for child in node.children)
    if not path:
        attributes.report_missing(codes.REQUIRED_MISSING, f"<{node.tag}> has no path")
    damping, stiffness = attributes.overlaid("damping", 3), attributes.overlaid("stiffness", 3)
    return Tendon(
        attributes.string("name") or None,
        spatial=node.tag == "spatial",
        path=path,
        range=_range(attributes, model, "range", "limited"),
        actuator_force_range=_range(attributes, model, "actuatorfrcrange", "actuatorfrclimited"),
        spring_length=attributes.overlaid("springlength", 2),
        stiffness=stiffness[0] if stiffness else None,
        damping=damping[0] if damping else None,
        stiffness_terms=stiffness[1:] if stiffness else (),
        damping_terms=damping[1:] if damping else (),
        armature=attributes.number("armature"),
        friction=attributes.number("frictionloss"),
        margin=attributes.number("margin"),
        solref_limit=attributes.overlaid("solreflimit", 2),
        solimp_limit=attributes.overlaid("solimplimit", 5),
        solref_friction=attributes.overlaid("solreffriction", 2),
        solimp_friction=attributes.overlaid("solimpfriction", 5),
        width=attributes.number("width"),
        group=attributes.integer("group"),
        extensions=attributes.extensions(),
        source=node.source,
    )


def _read_step(attributes: Attributes) -> TendonStep:
    kind = attributes.node.tag
    return TendonStep(
        kind,
        None if kind == "pulley" else attributes.string(kind),
        coefficient=attributes.number("coef"),
        divisor=attributes.number("divisor"),
        side_site=attributes.string("sidesite"),
        source=attributes.source,
    )


def _range(attributes: Attributes, model: Model, name: str, limited: str) -> Range | None:
    """The range where it limits anything; a reversed one is kept, to be judged."""
    bounds = attributes.pair(name)
    word = attributes.keyword(limited, _LIMITED) or "auto"
    stated = bounds is not None and bounds != (0.0, 0.0)
    if word == "true" and not stated:
        message = f'{limited}="true" but no {name} is stated'
        attributes.report_missing(codes.LIMIT_MISSING, message, limited)
    if stated and word == "auto" and not model.settings(attributes.node).auto_limits:
        message = f'{name} needs {limited}="true" or "false" when the compiler has autolimits off'
        attributes.report_missing(codes.REQUIRED_MISSING, message, name)
        return None
    return bounds if stated and word != "false" else None


def read_contacts(model: Model, builder: RobotBuilder) -> None:
    """State the pairs and excludes of all `<contact>` sections."""
    for node in model.elements("contact"):
        if node.tag == "exclude":
            attributes = model.attributes(node)
            builder.exclude(
                Exclude(
                    attributes.string("body1") or "",
                    attributes.string("body2") or "",
                    name=attributes.string("name") or None,
                    source=node.source,
                )
            )
        elif node.tag == "pair":
            builder.pair(_read_pair(model.attributes(node, "pair")))


def _read_pair(attributes: Attributes) -> ContactPair:
    for name in ("geom1", "geom2"):
        if attributes.owner(name) is None:
            attributes.report_missing(
                codes.REQUIRED_MISSING, f"<pair> lacks the attribute {name!r}"
            )
    return ContactPair(
        attributes.string("geom1") or "",
        attributes.string("geom2") or "",
        name=attributes.string("name") or None,
        condim=attributes.integer("condim"),
        friction=attributes.overlaid("friction", 5),
        solref=attributes.overlaid("solref", 2),
        solreffriction=attributes.overlaid("solreffriction", 2),
        solimp=attributes.overlaid("solimp", 5),
        margin=attributes.number("margin"),
        gap=attributes.number("gap"),
        adhesion=attributes.number("adhesion"),
        extensions=attributes.extensions(),
        source=attributes.source,
    )
