"""`<actuator>`: laws as the shortcut that they are, or as `<general>`; and actuators made anew."""

from __future__ import annotations

import math
from collections.abc import Iterator

from phyzctl import codes
from phyzctl.formats.mjcf.writing import Writing
from phyzctl.formats.xmlwrite import Element
from phyzctl.model.joint import Joint, JointType
from phyzctl.robot.mechanism import Activation, Actuator, Gain, TransmissionKind

_SCALAR = (JointType.HINGE, JointType.SLIDE)
_FILTERS = (Activation.NONE, Activation.FILTER_EXACT)
_SERVO_SHARE = 0.1  # of a joint's range, at which a servo that is made pulls with all its effort


def actuators(writing: Writing) -> Element:
    """The robot's actuators; those that the options ask for where it states none."""
    section = Element("actuator")
    for actuator in writing.robot.actuators:
        section.add(_actuator(writing, actuator))
    if not writing.robot.actuators and writing.options.actuators != "none":
        for joint in _driven(writing):
            section.add(_made(joint, servo=writing.options.actuators == "position"))
    for transmission in writing.robot.transmissions:
        message = "MJCF has no transmissions: what ros_control knows of them is left out"
        writing.losses.add(codes.LOSS_OF_ACTUATOR, message, transmission)
    return section


def _driven(writing: Writing) -> Iterator[Joint]:
    """Hinges and slides that follow no other."""
    for joint in writing.model.joints:
        if joint.type in _SCALAR and joint.mimic is None and joint.element is not None:
            yield joint


def _made(joint: Joint, *, servo: bool) -> Element:
    """A motor bounded by the effort, or a critically damped servo over the joint's range."""
    effort = joint.force_range[1]
    bounded = math.isfinite(effort) and effort > 0.0
    bounds = joint.force_range if bounded else None
    if not servo:
        return Element("motor").set(name=joint.name, joint=joint.name, ctrlrange=bounds)
    lower, upper = joint.range
    span = upper - lower if math.isfinite(upper - lower) and upper > lower else 2 * math.pi
    element = Element("position").set(name=joint.name, joint=joint.name)
    if bounded:
        element.set(kp=effort / (_SERVO_SHARE * span))
    element.set(dampratio=1.0, forcerange=bounds)
    return element.set(inheritrange=1.0 if joint.limited and upper > lower else None)


def _actuator(writing: Writing, actuator: Actuator) -> Element:
    element = Element("general").set(name=actuator.name if actuator.name_stated else None)
    element.set(**{_target(actuator.transmission): actuator.target})
    _law(writing, element, actuator)
    element.set(
        gear=_gear(actuator.gear),
        ctrlrange=actuator.ctrl_range,
        forcerange=actuator.force_range,
        lengthrange=actuator.length_range,
        cranklength=actuator.crank_length,
        slidersite=actuator.slider_site,
        refsite=actuator.reference_site,
        group=actuator.group,
    )
    if element.tag == "general":
        element.set(
            actrange=actuator.act_range,
            actdim=actuator.activation_dim,
            actearly=actuator.act_early or None,
        )
    writing.keep(element, actuator.extensions, "actuator")
    return element


def _law(writing: Writing, element: Element, actuator: Actuator) -> None:
    """The law, and the tag of the shortcut that it is."""
    if _is_motor(actuator):
        element.tag = "motor"
    elif _is_servo(actuator):
        _servo(element, actuator)
    elif _is_velocity(actuator):
        element.tag = "velocity"
        element.set(kv=actuator.gain_parameters[0])
    else:
        _general(writing, element, actuator)


def _target(kind: TransmissionKind) -> str:
    return "cranksite" if kind is TransmissionKind.SLIDER_CRANK else kind.value


def _is_motor(actuator: Actuator) -> bool:
    if actuator.transmission is TransmissionKind.BODY:
        return False  # what sticks is no motor
    plain = actuator.gain is Gain.FIXED and actuator.gain_parameters == (1.0,)
    passive = actuator.bias is Gain.NONE and not _has_dynamics(actuator)
    return plain and passive and not _only_general(actuator)


def _only_general(actuator: Actuator) -> bool:
    return bool(actuator.act_range or actuator.activation_dim or actuator.act_early)


def _is_servo(actuator: Actuator) -> bool:
    """What `<position>` can say, and what it alone can: a range that is inherited."""
    affine = actuator.gain is Gain.FIXED and actuator.bias is Gain.AFFINE
    if not affine or actuator.kind not in ("position", "intvelocity"):
        return False
    bias = (*actuator.bias_parameters, 0.0, 0.0, 0.0)
    gain = (actuator.gain_parameters or (0.0,))[0]
    filtered = actuator.dynamics in _FILTERS or actuator.kind == "intvelocity"
    fitting = bias[0] == 0.0 and bias[1] == -gain and not any(bias[3:])
    return fitting and filtered and not (actuator.activation_dim or actuator.act_early)


def _is_velocity(actuator: Actuator) -> bool:
    affine = actuator.gain is Gain.FIXED and actuator.bias is Gain.AFFINE
    if not affine or actuator.kind != "velocity" or _only_general(actuator):
        return False
    law = (*actuator.gain_parameters, *actuator.bias_parameters)
    return len(law) == 4 and law[1:] == (0.0, 0.0, -law[0]) and not _has_dynamics(actuator)


def _has_dynamics(actuator: Actuator) -> bool:
    return actuator.dynamics is not Activation.NONE


def _servo(element: Element, actuator: Actuator) -> None:
    element.tag = actuator.kind
    damping = -(*actuator.bias_parameters, 0.0, 0.0, 0.0)[2]
    element.set(
        kp=(actuator.gain_parameters or (0.0,))[0],
        kv=damping or None,
        dampratio=actuator.damping_ratio,
        inheritrange=actuator.inherit_range,
    )
    if actuator.kind == "intvelocity":
        element.set(actrange=actuator.act_range)
    elif actuator.dynamics is Activation.FILTER_EXACT:
        element.set(timeconst=(actuator.dynamics_parameters or (0.0,))[0])


def _general(writing: Writing, element: Element, actuator: Actuator) -> None:
    if Gain.USER in (actuator.gain, actuator.bias) and actuator.kind != "general":
        message = f"the law of a <{actuator.kind}> is not kept: it exerts no force"
        writing.losses.add(codes.LOSS_OF_ACTUATOR, message, actuator)
    bias = actuator.bias_parameters
    if actuator.damping_ratio is not None:  # MJCF writes it in the place of a damping
        bias = (*(*bias, 0.0, 0.0)[:2], actuator.damping_ratio)
    element.set(
        gaintype=actuator.gain.value if actuator.gain is not Gain.FIXED else None,
        gainprm=actuator.gain_parameters or (0.0,),
        biastype=actuator.bias.value if actuator.bias is not Gain.NONE else None,
        biasprm=bias or None,
    )
    if actuator.dynamics is not Activation.NONE:
        parameters = actuator.dynamics_parameters or (0.0,)
        element.set(dyntype=actuator.dynamics.value, dynprm=parameters)


def _gear(gear: tuple[float, ...]) -> tuple[float, ...] | None:
    count = len(gear)
    while count > 1 and gear[count - 1] == 0.0:
        count -= 1
    return None if gear[:count] == (1.0,) else gear[:count]
