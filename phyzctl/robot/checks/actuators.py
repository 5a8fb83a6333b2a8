"""Actuators: ranges, gears and gains."""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding
from phyzctl.robot.mechanism import Actuator, Gain, Range
from phyzctl.robot.robot import Robot

# The kinds whose gain is the stiffness kp, and those whose gain is the damping kv.
_STIFF = frozenset({"position", "intvelocity"})
_DAMPED = frozenset({"velocity"})


def range_inverted(robot: Robot) -> Iterator[Finding]:
    """A713: a range of control, force or activation whose bounds are in the wrong order."""
    for actuator in robot.actuators:
        for attribute, bounds in stated_ranges(actuator):
            low, high = bounds
            if low > high or (low == high != 0.0):
                order = "equals" if low == high else "is above"
                message = f"{attribute}: lower bound {low:g} {order} upper bound {high:g}"
                yield Finding(actuator, message, attribute)


def gain_sign(robot: Robot) -> Iterator[Finding]:
    """A714: a gear of zeros, or a servo that drives away from its target."""
    for actuator in robot.actuators:
        if actuator.gear and not any(actuator.gear):
            yield Finding(actuator, "gear is all zero, so the actuator moves nothing", "gear")
        for attribute, value in _servo_gains(actuator):
            if value < 0:
                message = f"{attribute} {value:g} is negative: it drives away from its target"
                yield Finding(actuator, message, attribute)


def stated_ranges(actuator: Actuator) -> Iterator[tuple[str, Range]]:
    """The ranges that an actuator has, by their attributes in MJCF."""
    for attribute, bounds in (
        ("ctrlrange", actuator.ctrl_range),
        ("forcerange", actuator.force_range),
        ("actrange", actuator.act_range),
    ):
        if bounds is not None:
            yield attribute, bounds


def _servo_gains(actuator: Actuator) -> Iterator[tuple[str, float]]:
    """The gains a servo states, by the names of their attributes."""
    gain, bias = actuator.gain_parameters, actuator.bias_parameters
    if actuator.gain is not Gain.FIXED or not gain:
        return
    if actuator.kind in _DAMPED:
        yield "kv", gain[0]
    if actuator.kind in _STIFF:
        yield "kp", gain[0]
        if len(bias) > 2 and bias[2] != 0.0:
            yield "kv", -bias[2]


CHECKS = (
    (codes.RANGE_INVERTED, range_inverted),
    (codes.GAIN_SIGN, gain_sign),
)
