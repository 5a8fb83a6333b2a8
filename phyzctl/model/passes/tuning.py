"""Gains stated relative to inertia: damping ratios, springs by time constant, muscles' forces."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from phyzctl import codes
from phyzctl.issues import Issues
from phyzctl.model.actuator import Actuator
from phyzctl.model.jacobians import Motion
from phyzctl.model.joint import Joint
from phyzctl.model.model import Model
from phyzctl.model.muscle import NO_MUSCLE, MuscleCurve, muscle_curve
from phyzctl.model.passes.lengths import length_ranges
from phyzctl.model.passes.values import number
from phyzctl.model.transmissions import floating_part, transmissions
from phyzctl.robot.mechanism import Gain, LengthSearch
from phyzctl.robot.subject import describe
from phyzctl.spatial import Array

MOST_DOFS = 2000  # of which a matrix is inverted in seconds
_TINY = 1e-15


def wants_tuning(actuators: Sequence[Actuator], joints: Sequence[Joint]) -> bool:
    """True when anything is stated relative to inertia."""
    return any(map(_feels, actuators)) or any(map(_spring, joints))


def tuned(model: Model, issues: Issues) -> tuple[tuple[Actuator, ...], tuple[Joint, ...]]:
    """The actuators and joints with gains from the inertia at the reference position.

    U001 where the model is too large for that; dampers, springs and muscles are then missing, as
    they are where a free joint hangs on something that moves.
    """
    if model.nv > MOST_DOFS:
        what = f"the model has {model.nv} degrees of freedom, they are worked out for {MOST_DOFS}"
        message = f"not supported here: gains stated as ratios ({what} at most)"
        issues.add(codes.UNSUPPORTED, message, source=model.robot.source)
        return model.actuators, model.joints
    if floating_part(model) is not None:  # an error, of which T407 tells
        return model.actuators, model.joints
    q, actuators = model.default_state().q, _with_lengths(model, issues)
    M = Motion(model, q).mass_matrix()
    inverse: Array = np.zeros_like(M)
    if np.isfinite(M).all():
        inverse = np.asarray(np.linalg.pinv(M, hermitian=True), dtype=np.float64)
    actuators = tuple(
        _strengthened(_damped(each, inverse, row), inverse, row)
        for each, row in _felt(model, actuators, q)
    )
    joints = tuple(
        _sprung(joint, float(inverse[start, start])) if joint.nv == 1 else joint
        for joint, start in zip(model.joints, model.v_offsets.tolist(), strict=True)
    )
    return actuators, joints


def _ratio(actuator: Actuator) -> float:
    ratio = actuator.element.damping_ratio if actuator.element else None
    return ratio or 0.0


def _is_muscle(actuator: Actuator) -> bool:
    return Gain.MUSCLE in actuator.laws


def _feels(actuator: Actuator) -> bool:
    return bool(_ratio(actuator)) or _is_muscle(actuator)


def _with_lengths(model: Model, issues: Issues) -> Sequence[Actuator]:
    """The actuators, muscles with the range of their lengths; U001 where there is none."""
    again = (model.robot.settings.length_search or LengthSearch()).use_existing
    wanted = [
        place
        for place, each in enumerate(model.actuators)
        if _is_muscle(each) and (each.lengths is None or not again)
    ]
    if not wanted:
        return model.actuators
    found, actuators = length_ranges(model, wanted), list(model.actuators)
    for place in wanted:
        muscle = actuators[place] = replace(actuators[place], lengths=found.get(place))
        if (fault := muscle.fault) is not None:
            subject, source = describe(muscle.element), muscle.source
            message = f"{fault}: the actuator exerts no force"
            issues.add(codes.UNSUPPORTED, message, source=source, subject=subject)
    return actuators


def _felt(
    model: Model, actuators: Sequence[Actuator], q: Array
) -> Iterator[tuple[Actuator, Array]]:
    """Every actuator with how v changes its length (nv,), where that matters."""
    moments = np.zeros((model.nu(), model.nv))
    if any(map(_feels, actuators)):
        _, moments = transmissions(model, q)
    return zip(actuators, moments, strict=True)


def _damped(actuator: Actuator, inverse: Array, row: Array) -> Actuator:
    """The damping kv = 2 ratio sqrt(kp m), with m the inertia that the actuator feels."""
    ratio = _ratio(actuator)
    if not ratio:
        return actuator
    mobility = float(row @ inverse @ row)
    mass = 1.0 / mobility if mobility > _TINY else 0.0
    damping = 2.0 * ratio * math.sqrt(max(-actuator.bias[1] * mass, 0.0))
    return replace(actuator, bias=(actuator.bias[0], actuator.bias[1], -damping))


def _strengthened(actuator: Actuator, inverse: Array, row: Array) -> Actuator:
    """A muscle's curves; a force that isn't stated is larger the more the muscle has to move."""
    written = actuator.element
    lengths = actuator.lengths
    if written is None or lengths is None or not _is_muscle(actuator):
        return actuator
    effect = float(np.linalg.norm(inverse @ row))

    def curve(law: Gain, parameters: Sequence[float | None]) -> MuscleCurve:
        numbers = [number(value) for value in parameters]
        return muscle_curve(numbers, lengths, effect) if law is Gain.MUSCLE else NO_MUSCLE

    return replace(
        actuator,
        muscle_gain=curve(written.gain, written.gain_parameters),
        muscle_bias=curve(written.bias, written.bias_parameters),
    )


def _spring(joint: Joint) -> tuple[float, float] | None:
    passive = joint.element.dynamics if joint.element else None
    pair = passive.spring_damper if passive else None
    return pair if pair is not None and pair[0] > 0.0 and pair[1] > 0.0 else None


def _sprung(joint: Joint, mobility: float) -> Joint:
    """Stiffness and damping from a time constant [s] and a damping ratio."""
    pair = _spring(joint)
    if pair is None:
        return joint
    time, ratio = pair
    inertia = 1.0 / max(mobility, _TINY)
    stiffness = inertia / max(time * time * ratio * ratio, _TINY)
    return replace(joint, stiffness=stiffness, damping=2.0 * inertia / max(time, _TINY))
