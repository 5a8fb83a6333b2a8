"""Configurations by names of joints, and what follows them."""

from __future__ import annotations

import numpy as np
import pytest

from phyzctl.errors import NotFoundError, PhyzctlError
from phyzctl.model import compiler
from phyzctl.model.model import Model
from phyzctl.model.positions import configuration
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import Joint, JointKind, Mimic
from tests.scene.robots import UNIT, slider_rail, solid


def led() -> Model:
    """a moves; b follows a, c follows b; d floats."""
    builder = RobotBuilder("led").link(solid("root"))
    mimics = {"a": None, "b": Mimic("a", 2.0, 0.5), "c": Mimic("b", -1.0)}
    for name, mimic in mimics.items():
        builder.link(solid(f"l{name}"))
        builder.joint(Joint(name, JointKind.CONTINUOUS, "root", f"l{name}", mimic=mimic))
    builder.link(solid("ball"))
    builder.joint(Joint("d", JointKind.SPHERICAL, "root", "ball"))
    return compiler.compile(builder.build(), base="fixed")


def test_stated_joints_and_the_reference() -> None:
    assert UNIT.mass == 1.0
    assert configuration(slider_rail(3), {"j2": 0.7}).tolist() == [0.0, 0.7]
    given = np.array([1.0, 2.0])
    assert configuration(slider_rail(3), {"j1": 0.5}, given).tolist() == [0.5, 2.0]
    assert given.tolist() == [1.0, 2.0]


def test_followers_follow_through_followers() -> None:
    assert configuration(led(), {"a": 1.0})[:3].tolist() == [1.0, 2.5, -2.5]
    assert configuration(led(), {"a": 1.0, "b": 0.0})[:3].tolist() == [1.0, 0.0, 0.0]
    assert configuration(led(), {})[:3].tolist() == [0.0, 0.0, 0.0]


def test_joints_with_several_numbers() -> None:
    assert configuration(led(), {"d": [0.0, 1.0, 0.0, 0.0]})[3:].tolist() == [0, 1, 0, 0]
    with pytest.raises(PhyzctlError, match="the joint 'd' takes 4 numbers, not 1"):
        configuration(led(), {"d": 1.0})


def test_joints_that_are_not_there() -> None:
    with pytest.raises(NotFoundError, match="no joint 'j3' that can move; there are j1"):
        configuration(slider_rail(2), {"j3": 0.0})
    with pytest.raises(PhyzctlError, match="must be finite"):
        configuration(slider_rail(2), {"j1": np.nan})
