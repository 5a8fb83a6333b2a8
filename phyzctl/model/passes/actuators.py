"""Tendons and actuators: targets by index, laws in numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from phyzctl import codes
from phyzctl.issues import Issues
from phyzctl.model.actuator import Actuator, Affine, Tendon
from phyzctl.model.joint import UNBOUNDED, Bounds, Joint
from phyzctl.model.passes.names import Names
from phyzctl.model.passes.values import bounds, number
from phyzctl.robot import mechanism
from phyzctl.robot.mechanism import Activation, Gain, TransmissionKind
from phyzctl.robot.subject import describe

_KINDS = {
    TransmissionKind.JOINT: "joint",
    TransmissionKind.JOINT_IN_PARENT: "joint",
    TransmissionKind.TENDON: "tendon",
    TransmissionKind.SITE: "site",
    TransmissionKind.SLIDER_CRANK: "site",
    TransmissionKind.BODY: "body",
}
_JOINTS = (TransmissionKind.JOINT, TransmissionKind.JOINT_IN_PARENT)


def compile_tendons(tendons: Iterable[mechanism.Tendon], names: Names) -> tuple[Tendon, ...]:
    """Every tendon, in order; the terms of a fixed one by joint index."""
    return tuple(_tendon(tendon, place, names) for place, tendon in enumerate(tendons))


def _tendon(tendon: mechanism.Tendon, place: int, names: Names) -> Tendon:
    terms: tuple[tuple[int, float], ...] = ()
    if not tendon.spatial:
        found = ((names.find("joint", step.name, tendon), step) for step in tendon.path)
        terms = tuple((j, number(step.coefficient, 1.0)) for j, step in found if j is not None)
    force_range = bounds(tendon.actuator_force_range)
    return Tendon(tendon.name or f"tendon {place}", terms, force_range, tendon)


def compile_actuators(
    actuators: Iterable[mechanism.Actuator],
    joints: Sequence[Joint],
    tendons: Sequence[Tendon],
    names: Names,
) -> tuple[Actuator, ...]:
    """Every actuator whose target exists, in the order of ctrl."""
    return tuple(_actuators(actuators, joints, tendons, names))


def _actuators(
    actuators: Iterable[mechanism.Actuator],
    joints: Sequence[Joint],
    tendons: Sequence[Tendon],
    names: Names,
) -> Iterator[Actuator]:
    for place, written in enumerate(actuators):
        target = names.find(_KINDS[written.transmission], written.target, written)
        if target is None:
            continue
        actuator = _actuator(written, place, target)
        span = _span(actuator, joints, tendons)
        _report_unsupported(actuator, names.issues)
        yield _with_inherited_range(actuator, span)


def _actuator(written: mechanism.Actuator, place: int, target: int) -> Actuator:
    gear = tuple(number(value) for value in written.gear[:6])
    return Actuator(
        written.name or f"actuator {place}",
        written.transmission,
        target,
        gear + (0.0,) * (6 - len(gear)),
        bounds(written.ctrl_range),
        bounds(written.force_range),
        bounds(written.act_range),
        _affine(written.gain, written.gain_parameters),
        _affine(written.bias, written.bias_parameters),
        written.dynamics,
        tuple(number(value) for value in written.dynamics_parameters),
        lengths=_stated_lengths(written),
        element=written,
    )


def _stated_lengths(written: mechanism.Actuator) -> Bounds | None:
    """Not those the wrong way round, by which MJCF asks for others."""
    stated = written.length_range
    return bounds(stated) if stated is not None and stated[0] < stated[1] else None


def _affine(law: Gain, parameters: Sequence[float | None]) -> Affine:
    """FIXED keeps the first number, AFFINE three, and the rest are zero."""
    kept = {Gain.FIXED: 1, Gain.AFFINE: 3}.get(law, 0)
    first, second, third = [*(number(p) for p in parameters[:kept]), 0.0, 0.0, 0.0][:3]
    return first, second, third


def _span(actuator: Actuator, joints: Sequence[Joint], tendons: Sequence[Tendon]) -> Bounds:
    """The range of what the actuator pulls on."""
    if actuator.transmission in _JOINTS:
        return joints[actuator.target].range
    if actuator.transmission is TransmissionKind.TENDON:
        return bounds(tendons[actuator.target].element.range)
    return UNBOUNDED


def _with_inherited_range(actuator: Actuator, span: Bounds) -> Actuator:
    """MJCF's `inheritrange`: the target's range, shrunk or stretched about its middle.

    It bounds the control of a position servo, and the activation of one that integrates.
    """
    factor = actuator.element.inherit_range if actuator.element else None
    if not factor or not abs(span[0]) + abs(span[1]) < float("inf"):
        return actuator
    middle, half = 0.5 * (span[0] + span[1]), 0.5 * (span[1] - span[0]) * factor
    inherited = (middle - half, middle + half)
    if actuator.dynamics is Activation.INTEGRATOR:
        return replace(actuator, act_range=inherited)
    return replace(actuator, ctrl_range=inherited)


def _report_unsupported(actuator: Actuator, issues: Issues) -> None:
    if actuator.fault and Gain.MUSCLE not in actuator.laws:
        message = f"{actuator.fault}: the actuator exerts no force"
        subject = describe(actuator.element)
        issues.add(codes.UNSUPPORTED, message, source=actuator.source, subject=subject)
