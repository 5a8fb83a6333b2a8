"""The force law of an actuator: what each shortcut, with its default classes, comes to.

A shortcut is a law of its own whose parameters start from its documented values; or from those
of the nearest class that was written with the same shortcut, or with `general` and the same
kind of gain.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from phyzctl import codes
from phyzctl.formats.mjcf.attributes import Attributes
from phyzctl.formats.mjcf.defaults import DefaultClass
from phyzctl.records import dataclass
from phyzctl.robot.mechanism import Activation, Gain

_Numbers = tuple[float, ...]
# What is known but has a law of its own counts as USER.
_GAINS = {gain.value: gain for gain in Gain} | dict.fromkeys(("dcmotor", "so3", "pid"), Gain.USER)
_ACTIVATIONS = {dynamics.value: dynamics for dynamics in Activation} | dict.fromkeys(
    ("dcmotor", "pid"), Activation.USER
)

# timeconst(2), tausmooth; then range(2), force, scale, lmin, lmax, vmax, fpmax, fvmax
_MUSCLE_DYNAMICS = (0.01, 0.04, 0.0)
_MUSCLE = (0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2)
_MUSCLE_NAMES = ("force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax")


LAW_ATTRIBUTES = frozenset(
    {"gaintype", "gainprm", "biastype", "biasprm", "dyntype", "dynprm", "inheritrange", "timeconst"}
    | {"kp", "kv", "dampratio", "area", "diameter", "bias", "tausmooth", "range", "gain"}
    | set(_MUSCLE_NAMES)
)


@dataclass(frozen=True)
class Law:
    """Gain, bias and activation dynamics, with their parameters as far as they are stated."""

    kind: str = "general"
    gain: Gain = Gain.FIXED
    gain_parameters: _Numbers = (1.0,)
    bias: Gain = Gain.NONE
    bias_parameters: _Numbers = ()
    dynamics: Activation = Activation.NONE
    dynamics_parameters: _Numbers = (1.0,)
    inherit_range: float | None = None
    damping_ratio: float | None = None
    ctrl_limited: bool | None = None


def read_law(attributes: Attributes, classes: DefaultClass) -> Law:
    """The law of an actuator element whose default class is given."""
    own = Attributes((attributes.node,), attributes.reader, attributes.issues)
    return _written(own, own.node.tag, _slots(classes, attributes))


def _slots(classes: DefaultClass, attributes: Attributes) -> Sequence[Law]:
    """The laws that the class and its ancestors amount to, the nearest first."""
    line = []
    ancestor: DefaultClass | None = classes
    while ancestor is not None:
        line.append(ancestor)
        ancestor = ancestor.parent
    slots: list[Law] = []
    for ancestor in reversed(line):
        law = slots[0] if slots else Law()
        for node in ancestor.own("actuator"):
            own = Attributes((node,), attributes.reader, attributes.issues)
            law = _written(own, node.tag, [law, *slots])
        slots.insert(0, law)
    return slots


def _written(attributes: Attributes, tag: str, slots: Sequence[Law]) -> Law:
    """What an element says, over what its classes amount to."""
    if tag == "general":
        return _general(attributes, slots[0])
    make = _SHORTCUTS.get(tag)
    if make is None:
        return Law(tag, gain=Gain.USER, gain_parameters=())
    gain = _GAIN_OF_SHORTCUT.get(tag, Gain.FIXED)
    source = next((slot for slot in slots if _serves(slot, tag, gain)), None)
    return replace(make(attributes, source), kind=tag)


def _serves(slot: Law, tag: str, gain: Gain) -> bool:
    return slot.kind == tag or (slot.kind == "general" and slot.gain is gain)


def _general(attributes: Attributes, slot: Law) -> Law:
    gain = attributes.keyword("gaintype", _GAINS)
    bias = attributes.keyword("biastype", _GAINS)
    dynamics = attributes.keyword("dyntype", _ACTIVATIONS)
    law = replace(
        slot,
        kind="general",
        gain=_GAINS[gain] if gain else slot.gain,
        bias=_GAINS[bias] if bias else slot.bias,
        dynamics=_ACTIVATIONS[dynamics] if dynamics else slot.dynamics,
        gain_parameters=_over(attributes, "gainprm", slot.gain_parameters),
        bias_parameters=_over(attributes, "biasprm", _with_ratio(slot)),
        dynamics_parameters=_over(attributes, "dynprm", slot.dynamics_parameters),
    )
    return _ratio_told_apart(law)


def _over(attributes: Attributes, name: str, otherwise: _Numbers) -> _Numbers:
    written = attributes.overlaid(name, 10) or ()
    return written + otherwise[len(written) :]


def _with_ratio(law: Law) -> _Numbers:
    """MJCF's own form, in which a positive third bias parameter is a damping ratio."""
    if law.damping_ratio is None:
        return law.bias_parameters
    return (*_padded(law.bias_parameters, 2), law.damping_ratio)


def _ratio_told_apart(law: Law) -> Law:
    gain, bias = _padded(law.gain_parameters, 1), _padded(law.bias_parameters, 3)
    servo = law.gain is Gain.FIXED and law.bias is Gain.AFFINE and gain[0] == -bias[1]
    if servo and bias[2] > 0:
        rest = law.bias_parameters[3:]
        return replace(law, bias_parameters=(*bias[:2], 0.0, *rest), damping_ratio=bias[2])
    return replace(law, damping_ratio=None)


def _padded(values: _Numbers, count: int) -> _Numbers:
    return values[:count] + (0.0,) * (count - len(values))


def _motor(_attributes: Attributes, _source: Law | None) -> Law:
    return Law()


def _position(attributes: Attributes, source: Law | None) -> Law:
    law = _servo(attributes, source)
    filtered = source is not None and source.dynamics is Activation.FILTER_EXACT
    inherited = source.dynamics_parameters[0] if source and filtered else 0.0
    constant = _or(attributes.number("timeconst"), inherited)
    if constant > 0:
        law = replace(law, dynamics=Activation.FILTER_EXACT, dynamics_parameters=(constant,))
    elif constant < 0:
        attributes.report(codes.GAIN_SIGN, f"timeconst {constant:g} is negative", "timeconst")
    return law


def _int_velocity(attributes: Attributes, source: Law | None) -> Law:
    law = _servo(attributes, source)
    return replace(law, dynamics=Activation.INTEGRATOR)


def _servo(attributes: Attributes, source: Law | None) -> Law:
    stiffness = _or(attributes.number("kp"), source.gain_parameters[0] if source else 1.0)
    damping, ratio = attributes.number("kv"), attributes.number("dampratio")
    if attributes.owner("kv") and attributes.owner("dampratio"):
        message = "kv and dampratio can't both be stated"
        attributes.report(codes.ELEMENT_REPEATED, message, "dampratio")
    for name, value in (("kv", damping), ("dampratio", ratio)):
        if value is not None and value < 0:
            attributes.report(codes.GAIN_SIGN, f"{name} {value:g} is negative", name)
    if damping is None and ratio is None and source is not None:
        inherited = _padded(_with_ratio(source), 3)[2]
        damping = -inherited if inherited < 0 else None
        ratio = inherited if inherited > 0 else None
    return Law(
        gain_parameters=(stiffness,),
        bias=Gain.AFFINE,
        bias_parameters=(0.0, -stiffness, -(damping or 0.0)),
        inherit_range=_or_none(
            attributes.number("inheritrange"), source.inherit_range if source else None
        ),
        damping_ratio=ratio or None,
    )


def _velocity(attributes: Attributes, source: Law | None) -> Law:
    gain = _or(attributes.number("kv"), source.gain_parameters[0] if source else 1.0)
    return Law(gain_parameters=(gain,), bias=Gain.AFFINE, bias_parameters=(0.0, 0.0, -gain))


def _damper(attributes: Attributes, source: Law | None) -> Law:
    inherited = -_padded(source.gain_parameters, 3)[2] if source else 0.0
    gain = _or(attributes.number("kv"), inherited)
    if gain < 0:
        attributes.report(codes.GAIN_SIGN, f"kv {gain:g} is negative", "kv")
    return Law(gain=Gain.AFFINE, gain_parameters=(0.0, 0.0, -gain), ctrl_limited=True)


def _cylinder(attributes: Attributes, source: Law | None) -> Law:
    area = _or(attributes.number("area"), source.gain_parameters[0] if source else 1.0)
    diameter = attributes.number("diameter")
    if diameter is not None and diameter >= 0:
        area = math.pi / 4 * diameter**2
    constant = _or(attributes.number("timeconst"), source.dynamics_parameters[0] if source else 1.0)
    bias = attributes.numbers("bias", 3) or _padded(source.bias_parameters if source else (), 3)
    return Law(
        gain_parameters=(area,),
        bias=Gain.AFFINE,
        bias_parameters=bias,
        dynamics=Activation.FILTER,
        dynamics_parameters=(constant,),
    )


def _muscle(attributes: Attributes, source: Law | None) -> Law:
    constants = attributes.numbers("timeconst", 2)
    dynamics = source.dynamics_parameters if source else _MUSCLE_DYNAMICS
    values = source.gain_parameters if source else _MUSCLE
    bounds = attributes.numbers("range", 2) or values[:2]
    rest = [
        _or(attributes.number(name), value)
        for name, value in zip(_MUSCLE_NAMES, values[2:], strict=False)
    ]
    smooth = _or(attributes.number("tausmooth"), _padded(dynamics, 3)[2])
    parameters = (*bounds, *rest)
    return Law(
        gain=Gain.MUSCLE,
        gain_parameters=parameters,
        bias=Gain.MUSCLE,
        bias_parameters=parameters,
        dynamics=Activation.MUSCLE,
        dynamics_parameters=(*(constants or dynamics[:2]), smooth),
    )


def _adhesion(attributes: Attributes, source: Law | None) -> Law:
    gain = _or(attributes.number("gain"), source.gain_parameters[0] if source else 1.0)
    if gain < 0:
        attributes.report(codes.GAIN_SIGN, f"gain {gain:g} is negative", "gain")
    return Law(gain_parameters=(gain,), ctrl_limited=True)


def _or(value: float | None, otherwise: float) -> float:
    return otherwise if value is None else value


def _or_none(value: float | None, otherwise: float | None) -> float | None:
    return otherwise if value is None else value


_GAIN_OF_SHORTCUT = {"damper": Gain.AFFINE, "muscle": Gain.MUSCLE}
_SHORTCUTS: dict[str, Callable[[Attributes, Law | None], Law]] = {
    "motor": _motor,
    "position": _position,
    "velocity": _velocity,
    "intvelocity": _int_velocity,
    "damper": _damper,
    "cylinder": _cylinder,
    "muscle": _muscle,
    "adhesion": _adhesion,
}
