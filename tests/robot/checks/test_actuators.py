"""Actuators: ranges whose bounds are swapped, gears of zeros, gains that run away."""

from __future__ import annotations

import math
from typing import Any

import pytest

from phyzctl.issues import Issues
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.checks.actuators import gain_sign, range_inverted
from phyzctl.robot.elements import Joint, JointKind, Link
from phyzctl.robot.mechanism import Actuator, Gain
from phyzctl.robot.robot import Robot


def robot(**stated: Any) -> Robot:
    builder = RobotBuilder("r", dialect="mjcf").link(Link("base"))
    builder.joint(Joint("hinge", JointKind.CONTINUOUS, "base", "arm"))
    return builder.actuator(Actuator("drive", "hinge", **stated)).build(Issues())


RANGES = {
    "in order": ((-1.0, 1.0), False),
    "swapped": ((1.0, -1.0), True),
    "two zeros mean none": ((0.0, 0.0), False),
    "equal": ((1.0, 1.0), True),
    "not written": (None, False),
    "NaN": ((math.nan, 1.0), False),
}


@pytest.mark.parametrize(
    ("field", "attribute"),
    [("ctrl_range", "ctrlrange"), ("force_range", "forcerange"), ("act_range", "actrange")],
)
@pytest.mark.parametrize(("bounds", "wrong"), RANGES.values(), ids=RANGES)
def test_range_inverted(
    field: str, attribute: str, bounds: tuple[float, float] | None, *, wrong: bool
) -> None:
    found = [finding.attribute for finding in range_inverted(robot(**{field: bounds}))]
    assert found == ([attribute] if wrong else [])


SERVO = {"kind": "position", "gain": Gain.FIXED, "bias": Gain.AFFINE}
# f = gain u + bias0 + bias1 l + bias2 l̇: a servo is kp (u - l) - kv l̇.
GAINS = {
    "motor": ({}, []),
    "motor that pulls the other way": ({"gear": (-2.0, 0.0, 0.0, 0.0, 0.0, 0.0)}, []),
    "gear of zeros": ({"gear": (0.0,) * 6}, ["gear"]),
    "no gear written": ({"gear": ()}, []),
    "servo": (
        {**SERVO, "gain_parameters": (9.0,), "bias_parameters": (0.0, -9.0, -1.0)},
        [],
    ),
    "kp below zero": (
        {**SERVO, "gain_parameters": (-9.0,), "bias_parameters": (0.0, 9.0, 0.0)},
        ["kp"],
    ),
    "kv below zero": (
        {**SERVO, "gain_parameters": (9.0,), "bias_parameters": (0.0, -9.0, 1.0)},
        ["kv"],
    ),
    "velocity servo": ({"kind": "velocity", "gain_parameters": (-3.0,)}, ["kv"]),
    "a general actuator may have any gain": ({"gain_parameters": (-3.0,)}, []),
    "nothing known": ({"kind": "position", "gain_parameters": ()}, []),
}


@pytest.mark.parametrize(("stated", "attributes"), GAINS.values(), ids=GAINS)
def test_gain_sign(stated: dict[str, Any], attributes: list[str]) -> None:
    assert [finding.attribute for finding in gain_sign(robot(**stated))] == attributes
