"""A Model's dynamics for the native kernel, and what of a Model they do not cover."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from phyzctl import native
from phyzctl.errors import PhyzctlError
from phyzctl.issues import Finding
from phyzctl.model.actuator import Actuator, Tendon
from phyzctl.model.joint import Joint, JointType
from phyzctl.robot.mechanism import Activation, TransmissionKind
from phyzctl.robot.subject import describe
from phyzctl.spatial import Array

if TYPE_CHECKING:
    from phyzctl.model.model import Model

_TRANSMISSIONS = {
    TransmissionKind.JOINT: 0,
    TransmissionKind.JOINT_IN_PARENT: 1,
    TransmissionKind.TENDON: 2,
}
_FLAGS = ("spring", "damper", "actuation", "clampctrl", "eulerdamp")
# What is kept of an element as it was written, and changes no motion.
_IDLE = {"@user", "@group", "@rgba", "@material"}


def make_dynamics(model: Model) -> native.Dynamics:
    """The kernel's copy of what moves the Model, constraints left out.

    Raises:
        PhyzctlError: something acts on the Model that the kernel doesn't compute.
    """
    missing = list(unsupported(model))
    if missing:
        listed = "; ".join(f"{describe(finding.element)}: {finding.message}" for finding in missing)
        raise PhyzctlError(f"not simulated: {listed}")
    return native.Dynamics(model.system, **dynamics_arrays(model))


def dynamics_arrays(model: Model) -> dict[str, Any]:
    """The arguments of `native.Dynamics`, by name."""
    a, joints, bodies = model.arrays, model.joints, model.bodies
    joint_of_dof = [joint for joint in joints for _ in range(joint.nv)]
    weightless = dict(model.robot.option.flags).get("gravity") is False
    return {
        "gravity": np.zeros(3) if weightless else np.array(model.gravity),
        "v_offset": a.v_offset,
        "spring_q": _spring_q(model),
        "body_mass": a.body_mass,
        "body_com": a.body_com,
        "body_inertia": a.body_inertia,
        "body_gravcomp": _rows([body.link.gravcomp or 0.0 for body in bodies]),
        "joint_stiffness": _rows([joint.stiffness for joint in joints]),
        "joint_force_range": _rows([joint.force_range for joint in joints], 2),
        "joint_gravcomp": _rows([float(joint.gravcomp) for joint in joints]),
        "armature": _rows([joint.armature for joint in joint_of_dof]),
        "damping": _rows([joint.damping for joint in joint_of_dof]),
        **_tendon_arrays(model.tendons, joints),
        **_actuator_arrays(model.actuators),
    }


def _rows(values: Sequence[Any], *row: int) -> Array:
    return np.array(values, dtype=np.float64).reshape(len(values), *row)


def _spring_q(model: Model) -> Array:
    q = np.array(model.arrays.q_reference)
    for number, joint in enumerate(model.joints):
        if joint.type in (JointType.HINGE, JointType.SLIDE):
            q[model.q_slice(number)] = joint.springref
    return q


def _tendon_arrays(tendons: Sequence[Tendon], joints: Sequence[Joint]) -> dict[str, Any]:
    terms = [
        [(joint, coefficient) for joint, coefficient in tendon.terms if joints[joint].nv == 1]
        for tendon in tendons
    ]
    every = [term for some in terms for term in some]
    written = [tendon.element for tendon in tendons]
    return {
        "tendon_start": np.cumsum([0, *(len(some) for some in terms)], dtype=np.int32),
        "term_joint": np.array([joint for joint, _ in every], dtype=np.int32),
        "term_coefficient": _rows([coefficient for _, coefficient in every]),
        "tendon_stiffness": _rows([tendon.stiffness or 0.0 for tendon in written]),
        "tendon_damping": _rows([tendon.damping or 0.0 for tendon in written]),
        "tendon_rest": _rows([_rest(tendon, joints) for tendon in tendons], 2),
        "tendon_force_range": _rows([tendon.force_range for tendon in tendons], 2),
    }


def _rest(tendon: Tendon, joints: Sequence[Joint]) -> tuple[float, float]:
    """Between which lengths the spring is slack; -1 stands for its length where joints rest."""
    stated = [*(tendon.element.spring_length or (-1.0,))]
    low, high = stated[0], stated[-1]
    if low == high == -1.0:
        terms = [(joints[joint], c) for joint, c in tendon.terms if joints[joint].nv == 1]
        low = high = sum(c * joint.springref for joint, c in terms)
    return low, high


def _actuator_arrays(actuators: Sequence[Actuator]) -> dict[str, Any]:
    targets = [(_TRANSMISSIONS.get(each.transmission, -1), each.target) for each in actuators]
    return {
        "actuator_target": np.array(targets, dtype=np.int32).reshape(-1, 2),
        "actuator_gear": _rows([actuator.gear for actuator in actuators], 6),
        "actuator_ctrl_range": _rows([actuator.ctrl_range for actuator in actuators], 2),
        "actuator_force_range": _rows([actuator.force_range for actuator in actuators], 2),
        "actuator_gain": _rows([actuator.gain for actuator in actuators], 3),
        "actuator_bias": _rows([actuator.bias for actuator in actuators], 3),
    }


def unsupported(model: Model) -> Iterator[Finding]:
    """What acts on the Model but not in the kernel, constraints apart."""
    option = model.robot.option
    if option.density or option.viscosity:
        yield Finding(option, "forces of the medium (density, viscosity) are not computed")
    for name, enabled in option.flags:
        if name in _FLAGS and not enabled:
            yield Finding(option, f"the flag {name} can't be disabled")
    for joint in model.joints:
        yield from _joint_faults(joint)
    for tendon in model.tendons:
        yield from _tendon_faults(tendon)
    for actuator in model.actuators:
        yield from _actuator_faults(actuator, model.tendons)


def _joint_faults(joint: Joint) -> Iterator[Finding]:
    written = joint.element
    if written is None:
        return
    passive = written.dynamics
    if passive is not None and any((*passive.damping_terms, *passive.stiffness_terms)):
        yield Finding(written, "polynomial springs and dampers are not computed")
    if joint.mimic is not None and written.mimic is not None:
        yield Finding(written, "following another joint (mimic) is not computed")
    yield from _kept(written, written.extensions)


def _tendon_faults(tendon: Tendon) -> Iterator[Finding]:
    written = tendon.element
    passive = (written.stiffness, written.damping, written.armature)
    if written.spatial and any(passive):
        yield Finding(written, "springs, dampers and armature of spatial tendons are not computed")
    elif written.armature:
        yield Finding(written, "armature of tendons is not computed")
    if any((*written.damping_terms, *written.stiffness_terms)):
        yield Finding(written, "polynomial springs and dampers are not computed")
    yield from _kept(written, written.extensions)


def _actuator_faults(actuator: Actuator, tendons: Sequence[Tendon]) -> Iterator[Finding]:
    written = actuator.element
    if written is None:
        return
    kind = actuator.transmission
    if kind not in _TRANSMISSIONS:
        yield Finding(written, f"its {kind.value} transmission is not computed")
    elif kind is TransmissionKind.TENDON and tendons[actuator.target].element.spatial:
        yield Finding(written, "its spatial tendon is not computed")
    if not actuator.computed:
        yield Finding(written, "its muscle or user law is not computed")
    if actuator.dynamics is not Activation.NONE:
        yield Finding(written, f"its activation ({actuator.dynamics.value}) is not computed")
    yield from _kept(written, written.extensions)


def _kept(written: Any, extensions: Sequence[Any]) -> Iterator[Finding]:
    for extension in extensions:
        if extension.tag not in _IDLE:
            yield Finding(written, f"{extension.tag.removeprefix('@')} is not computed")
