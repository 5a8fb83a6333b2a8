"""The comparison that the writers are held to finds what it is there to find."""

from __future__ import annotations

from dataclasses import replace

import pytest

from phyzctl.formats import read
from phyzctl.issues import Issues
from phyzctl.model.compiler import compile as compile_model
from phyzctl.robot.elements import Joint, JointKind, Link
from phyzctl.robot.robot import Robot
from tests.corpus import SAMPLES
from tests.formats.equivalence import differences


def arm() -> Robot:
    robot = read(str(SAMPLES / "arm_gripper.urdf"), Issues()).robot
    assert robot is not None
    return robot


def with_joint(robot: Robot, changed: Joint) -> Robot:
    joints = tuple(changed if j.name == changed.name else j for j in robot.joints)
    return replace(robot, joints=joints)


def with_link(robot: Robot, changed: Link) -> Robot:
    links = tuple(changed if link.name == changed.name else link for link in robot.links)
    return replace(robot, links=links)


def moving(robot: Robot) -> Joint:
    return next(joint for joint in robot.joints if joint.kind is JointKind.REVOLUTE)


def following(robot: Robot) -> Joint:
    return next(joint for joint in robot.joints if joint.mimic is not None)


def solid(robot: Robot) -> Link:
    return next(link for link in robot.links if link.inertial and link.collisions)


def changed(what: str) -> Robot:
    robot = arm()
    joint, link, follower = moving(robot), solid(robot), following(robot)
    assert joint.limit.upper is not None
    assert link.inertial is not None
    assert link.inertial.inertia is not None
    assert follower.mimic is not None
    assert joint.xyz is not None
    x, y, z = joint.xyz
    inertial, limit, tensor = link.inertial, joint.limit, link.inertial.inertia
    return {
        "mass": lambda: with_link(robot, replace(link, inertial=replace(inertial, mass=9.0))),
        "inertia": lambda: with_link(
            robot,
            replace(link, inertial=replace(inertial, inertia=tensor._replace(ixy=tensor.ixx / 9))),
        ),
        "centre": lambda: with_link(
            robot, replace(link, inertial=replace(inertial, xyz=(0.0, 0.0, 0.77)))
        ),
        "pose": lambda: with_joint(robot, replace(joint, xyz=(x, y, z + 1e-6))),
        "axis": lambda: with_joint(robot, replace(joint, axis=(0.6, 0.0, 0.8))),
        "range": lambda: with_joint(robot, replace(joint, limit=replace(limit, upper=9.0))),
        "effort": lambda: with_joint(robot, replace(joint, limit=replace(limit, effort=9e3))),
        "velocity": lambda: with_joint(robot, replace(joint, limit=replace(limit, velocity=9e3))),
        "mimic": lambda: with_joint(
            robot, replace(follower, mimic=replace(follower.mimic, multiplier=0.125))
        ),
        "geoms": lambda: with_link(robot, replace(link, geoms=link.geoms[1:])),
        "gravity": lambda: replace(robot, option=replace(robot.option, gravity=(0.0, 0.0, -1.0))),
    }[what]()


_JOINT = ["pose", "axis", "range", "effort", "velocity", "mimic"]
_CHANGES = ["mass", "inertia", "centre", "geoms", "gravity", *_JOINT]


@pytest.mark.parametrize("what", _CHANGES)
def test_a_change_is_found(what: str) -> None:
    before = compile_model(arm())
    assert differences(before, before, []) == []
    assert differences(before, compile_model(changed(what)), [])
