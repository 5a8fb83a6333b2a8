"""`<option>`: settings of the simulation, merged from all such elements."""

from __future__ import annotations

from phyzctl.formats.mjcf.attributes import Attributes
from phyzctl.formats.mjcf.model import Model
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.mechanism import Option

_INTEGRATORS = ("Euler", "RK4", "implicit", "implicitfast", "discrete")


def read_option(model: Model, builder: RobotBuilder) -> None:
    """State the settings; of several elements that write one, the last counts."""
    sections = model.sections("option")
    if sections:
        layers = tuple(reversed(sections))
        attributes = Attributes(layers, model.reader, model.issues)
        builder.option(_read_option(attributes, _flags(model)))


def _read_option(attributes: Attributes, flags: tuple[tuple[str, bool], ...]) -> Option:
    return Option(
        timestep=attributes.number("timestep"),
        gravity=attributes.vector("gravity", None),
        integrator=attributes.keyword("integrator", _INTEGRATORS),
        cone=attributes.keyword("cone", ("pyramidal", "elliptic")),
        impratio=attributes.number("impratio"),
        solver=attributes.keyword("solver", ("PGS", "CG", "Newton")),
        tolerance=attributes.number("tolerance"),
        iterations=attributes.integer("iterations"),
        noslip_iterations=attributes.integer("noslip_iterations"),
        noslip_tolerance=attributes.number("noslip_tolerance"),
        density=attributes.number("density"),
        viscosity=attributes.number("viscosity"),
        wind=attributes.vector("wind", None),
        o_margin=attributes.number("o_margin"),
        o_solref=attributes.overlaid("o_solref", 2),
        o_solimp=attributes.overlaid("o_solimp", 5),
        o_friction=attributes.overlaid("o_friction", 5),
        flags=flags,
        extensions=attributes.extensions(),
        source=attributes.source,
    )


def _flags(model: Model) -> tuple[tuple[str, bool], ...]:
    flags = {}
    for node in model.elements("option"):
        if node.tag == "flag":
            for name, word in node.attributes.items():
                if word in ("enable", "disable"):
                    flags[name] = word == "enable"
    return tuple(flags.items())
