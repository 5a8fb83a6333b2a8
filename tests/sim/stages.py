"""Which stage of the simulator a model needs, by all that it declares."""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.model.contacts import contact_table
from phyzctl.model.geom import GeomType
from phyzctl.model.joint import JointType
from phyzctl.model.model import Model
from phyzctl.robot.mechanism import EqualityKind, Gain, TransmissionKind

STAGES = {
    1: "trees, springs, limits, dry friction, joint actuators",
    2: "contacts with planes",
    3: "pairs of spheres, capsules and boxes",
    4: "pairs of all convex shapes",
    5: "joint equalities, connect, weld, ball joints, explicit pairs",
    6: "fixed tendons",
    7: "site transmissions, RK4, noslip, forces of a medium",
    8: "spatial tendons, muscles, adhesion, plugins",
}
_PRIMITIVE = (GeomType.SPHERE, GeomType.CAPSULE, GeomType.BOX)
_TRANSMISSIONS = {
    TransmissionKind.TENDON: 6,
    TransmissionKind.SITE: 7,
    TransmissionKind.BODY: 8,
    TransmissionKind.SLIDER_CRANK: 8,
}
_AFFINE = (Gain.NONE, Gain.FIXED, Gain.AFFINE)


def stage(model: Model) -> int:
    """The highest stage of anything that the model declares."""
    return max([1, *_contacts(model), *_mechanism(model), *_options(model)])


def _contacts(model: Model) -> Iterator[int]:
    if model.robot.pairs:
        yield 5
    for pair in contact_table(model).pair_geoms:
        types = [model.geoms[number].type for number in pair]
        if GeomType.PLANE in types:
            yield 2
        else:
            yield 3 if all(each in _PRIMITIVE for each in types) else 4


def _mechanism(model: Model) -> Iterator[int]:
    if any(joint.type is JointType.BALL or joint.mimic for joint in model.joints):
        yield 5
    for equality in model.equalities:
        yield 6 if equality.kind is EqualityKind.TENDON else 5
    for tendon in model.tendons:
        yield 8 if tendon.element.spatial else 6
    for actuator in model.actuators:
        yield _TRANSMISSIONS.get(actuator.transmission, 1)
        written = actuator.element
        if written is not None and not (written.gain in _AFFINE and written.bias in _AFFINE):
            yield 8


def _options(model: Model) -> Iterator[int]:
    option = model.robot.option
    medium = option.density or option.viscosity
    if medium or option.noslip_iterations or (option.integrator or "").lower() == "rk4":
        yield 7
