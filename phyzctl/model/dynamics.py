"""A Model's dynamics for the native kernel, and what of a Model they do not cover."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phyzctl import native
from phyzctl.errors import PhyzctlError
from phyzctl.issues import Finding
from phyzctl.model.actuator import Actuator, Tendon
from phyzctl.model.compiled import CompiledModel
from phyzctl.model.constraint import Site
from phyzctl.model.followers import follower_arrays
from phyzctl.model.joint import UNBOUNDED, Joint, JointType
from phyzctl.model.medium import fluid_shapes, medium_numbers, principal_turns, unshaped
from phyzctl.model.tendons import pathless, tendon_arrays
from phyzctl.robot.mechanism import Activation, TransmissionKind
from phyzctl.robot.subject import describe
from phyzctl.spatial import Array, quat_from_rotation

_TRANSMISSIONS = {
    TransmissionKind.JOINT: 0,
    TransmissionKind.JOINT_IN_PARENT: 1,
    TransmissionKind.TENDON: 2,
    TransmissionKind.SITE: 3,
    TransmissionKind.SLIDER_CRANK: 6,
    TransmissionKind.BODY: 7,
}
_SITE_PAIR = 5
_ON_SITES = (TransmissionKind.SITE, TransmissionKind.SLIDER_CRANK)
_NO_TRANSMISSION = 4
_ACTIVATIONS = {
    Activation.NONE: 0,
    Activation.INTEGRATOR: 1,
    Activation.FILTER: 2,
    Activation.FILTER_EXACT: 3,
    Activation.MUSCLE: 5,
}
_IDLE_ACTIVATION = 4
# What is kept of an element as it was written, and changes no motion.
_IDLE = {"@user", "@group", "@rgba", "@material"}


def make_dynamics(model: CompiledModel) -> native.Dynamics:
    """The kernel's copy of what moves the Model, constraints left out.

    Raises:
        PhyzctlError: something acts on the Model that the kernel doesn't compute.
    """
    missing = list(unsupported(model))
    if missing:
        listed = "; ".join(f"{describe(finding.element)}: {finding.message}" for finding in missing)
        raise PhyzctlError(f"not simulated: {listed}")
    return native.Dynamics(model.system, **dynamics_arrays(model))


def dynamics_arrays(model: CompiledModel) -> dict[str, Any]:
    """The arguments of `native.Dynamics`, by name."""
    a, joints, bodies = model.arrays, model.joints, model.bodies
    joint_of_dof = [joint for joint in joints for _ in range(joint.nv)]
    flags = dict(model.robot.option.flags)
    # MuJoCo leaves out all passive forces where both springs and dampers are off.
    springs, dampers = flags.get("spring", True), flags.get("damper", True)
    return {
        "gravity": np.array(model.gravity) if flags.get("gravity", True) else np.zeros(3),
        "v_offset": a.v_offset,
        "spring_q": _spring_q(model),
        "medium": medium_numbers(model.robot.option, passive=springs or dampers),
        "body_mass": a.body_mass,
        "body_com": a.body_com,
        "body_inertia": a.body_inertia,
        "body_gravcomp": (springs or dampers) * _rows([b.link.gravcomp or 0.0 for b in bodies]),
        "body_axes": principal_turns(bodies),
        "joint_stiffness": springs * _rows([joint.stiffness for joint in joints]),
        "joint_force_range": _rows([joint.force_range for joint in joints], 2),
        "joint_gravcomp": _rows([float(joint.gravcomp) for joint in joints]),
        "armature": _rows([joint.armature for joint in joint_of_dof]),
        "damping": dampers * _rows([joint.damping for joint in joint_of_dof]),
        **tendon_arrays(model, springs=springs, dampers=dampers),
        **_actuator_arrays(model, clamped=flags.get("clampctrl", True)),
        **follower_arrays(model),
        **fluid_shapes(model),
        "na": model.na,
        "actuated": flags.get("actuation", True),
        "eulerdamp": flags.get("eulerdamp", True),
    }


def _rows(values: Sequence[Any], *row: int) -> Array:
    return np.array(values, dtype=np.float64).reshape(len(values), *row)


def _spring_q(model: CompiledModel) -> Array:
    q = np.array(model.arrays.q_reference)
    for number, joint in enumerate(model.joints):
        if joint.type in (JointType.HINGE, JointType.SLIDE):
            q[model.q_slice(number)] = joint.springref
    return q


def _actuator_arrays(model: CompiledModel, *, clamped: bool) -> dict[str, Any]:
    """What is not computed has neither gain nor bias."""
    actuators, (sites, others) = model.actuators, _sites(model)
    pulls = [float(not list(_law_faults(actuator))) for actuator in actuators]
    controls = [actuator.ctrl_range if clamped else UNBOUNDED for actuator in actuators]
    return {
        "actuator_target": _targets(model),
        "actuator_activation": _activations(actuators),
        "actuator_gear": _rows([actuator.gear for actuator in actuators], 6),
        "actuator_ctrl_range": _rows(controls, 2),
        "actuator_force_range": _rows([actuator.force_range for actuator in actuators], 2),
        "actuator_gain": _rows(pulls)[:, None] * _rows([each.gain for each in actuators], 3),
        "actuator_bias": _rows(pulls)[:, None] * _rows([each.bias for each in actuators], 3),
        "actuator_times": _rows([_times(actuator) for actuator in actuators], 3),
        "actuator_act_range": _rows([actuator.act_range for actuator in actuators], 2),
        "actuator_site": sites,
        "actuator_other_site": others,
        "actuator_rod": _rows(
            [each.element.crank_length or 0.0 if each.element else 0.0 for each in actuators]
        ),
        "actuator_muscle_gain": _rows([each.muscle_gain.numbers for each in actuators], 8),
        "actuator_muscle_bias": _rows([each.muscle_bias.numbers for each in actuators], 8),
    }


def _times(actuator: Actuator) -> tuple[float, ...]:
    """Of a filter the time constant, of a muscle three numbers."""
    stated = actuator.dynamics_parameters[:3]
    return (*(stated or (1.0,)), 0.0, 0.0)[:3]


def _targets(model: CompiledModel) -> NDArray[np.int32]:
    """Kind and index; of sites their bodies."""
    rows = []
    for actuator in model.actuators:
        kind, first, second = _TRANSMISSIONS[actuator.transmission], actuator.target, -1
        if actuator.transmission in _ON_SITES:
            other = _other_site(model, actuator)
            first = model.sites[first].body
            if other is not None:
                second = other.body
                kind = _SITE_PAIR if actuator.transmission is TransmissionKind.SITE else kind
        elif actuator.transmission is TransmissionKind.BODY and first < 0:
            kind = _NO_TRANSMISSION  # the world is moved by nothing
        rows.append((kind, first, second))
    return np.array(rows, dtype=np.int32).reshape(-1, 3)


def _other_site(model: CompiledModel, actuator: Actuator) -> Site | None:
    """What an actuator on a site is measured against."""
    written = actuator.element
    name = written and (written.slider_site or written.reference_site)
    return next((site for site in model.sites if name and site.name == name), None)


def _sites(model: CompiledModel) -> tuple[Array, Array]:
    """The poses of both sites (nu, 7) on their bodies, of actuators that pull on sites."""
    rows: list[tuple[tuple[float, ...], tuple[float, ...]]] = []
    for actuator in model.actuators:
        own = model.sites[actuator.target] if actuator.transmission in _ON_SITES else None
        rows.append((_pose(own), _pose(_other_site(model, actuator))))
    return _rows([own for own, _ in rows], 7), _rows([other for _, other in rows], 7)


def _rod(actuator: Actuator) -> float:
    written = actuator.element
    return (written.crank_length or 0.0) if written is not None else 0.0


def _pose(site: Site | None) -> tuple[float, ...]:
    if site is None:
        return 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0
    return (*site.X_BS[:3, 3].tolist(), *quat_from_rotation(site.X_BS[:3, :3]).tolist())


def _activations(actuators: Sequence[Actuator]) -> NDArray[np.int32]:
    """Kind, place and whether it acts early; the last of several counts."""
    rows, filled = [], 0
    for actuator in actuators:
        filled += actuator.na
        idle = _IDLE_ACTIVATION if actuator.na else 0
        early = actuator.element is not None and actuator.element.act_early
        kind = _ACTIVATIONS.get(actuator.dynamics, idle) if actuator.na else 0
        rows.append((kind, filled - 1 if kind else -1, int(early)))
    return np.array(rows, dtype=np.int32).reshape(-1, 3)


def unsupported(model: CompiledModel) -> Iterator[Finding]:
    """What acts on the Model but not in the kernel, constraints apart."""
    yield from unshaped(model)
    for joint in model.joints:
        yield from _joint_faults(joint)
    yield from pathless(model)
    for tendon in model.tendons:
        yield from _tendon_faults(tendon)
    for actuator in model.actuators:
        yield from _actuator_faults(actuator)


def _joint_faults(joint: Joint) -> Iterator[Finding]:
    written = joint.element
    if written is None:
        return
    passive = written.dynamics
    if passive is not None and any((*passive.damping_terms, *passive.stiffness_terms)):
        yield Finding(written, "polynomial springs and dampers are not computed")
    yield from _kept(written, written.extensions)


def _tendon_faults(tendon: Tendon) -> Iterator[Finding]:
    written = tendon.element
    if written.armature:
        yield Finding(written, "armature of tendons is not computed")
    if any((*written.damping_terms, *written.stiffness_terms)):
        yield Finding(written, "polynomial springs and dampers are not computed")
    yield from _kept(written, written.extensions)


def _actuator_faults(actuator: Actuator) -> Iterator[Finding]:
    written = actuator.element
    if written is None:
        return
    for message in _law_faults(actuator):
        yield Finding(written, message)
    yield from _kept(written, written.extensions)


def _law_faults(actuator: Actuator) -> Iterator[str]:
    if actuator.fault:
        yield actuator.fault
    if actuator.dynamics not in _ACTIVATIONS:
        yield f"its activation ({actuator.dynamics.value}) is not computed"
    elif actuator.na > 1:
        yield "its several activations are not computed"


def _kept(written: Any, extensions: Sequence[Any]) -> Iterator[Finding]:
    for extension in extensions:
        if extension.tag not in _IDLE:
            yield Finding(written, f"{extension.tag.removeprefix('@')} is not computed")
