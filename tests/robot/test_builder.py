"""RobotBuilder: what can be stated, what a later statement does, what build() refuses."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from phyzctl.geometry.shapes import Box, Capsule, Sphere
from phyzctl.issues import BuildError, Issues
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import (
    Dynamics,
    Geom,
    GeomRole,
    Inertia,
    Inertial,
    Joint,
    JointKind,
    JointLimit,
    Link,
    Material,
    Mimic,
    Safety,
    Site,
)
from phyzctl.robot.mechanism import Actuator, Exclude, Keyframe, Option
from phyzctl.robot.robot import Robot

HINGE = Joint("hinge", JointKind.REVOLUTE, "base", "arm", limit=JointLimit(-1.0, 1.0, 5.0, 2.0))
UNIT = Inertia(1.0, 0.0, 0.0, 1.0, 0.0, 1.0)


def arm() -> RobotBuilder:
    """One hinge between two links; calls are chained."""
    return RobotBuilder("arm").link(Link("base")).joint(HINGE)


def test_a_joint_creates_its_child_link() -> None:
    robot = arm().build()
    assert [link.name for link in robot] == ["base", "arm"]
    assert robot.structure.link("arm") == Link("arm")


def test_a_joint_may_be_stated_before_its_parent() -> None:
    robot = RobotBuilder("r").joint(HINGE).link(Link("base")).build()
    assert [link.name for link in robot] == ["base", "arm"]


def test_a_later_link_replaces_the_earlier_in_its_place() -> None:
    heavy = Link("base", Inertial(mass=2.0, inertia=UNIT))
    robot = arm().link(Link("tool")).link(heavy).joint(Joint("j", parent="arm", child="tool"))
    assert robot.build().links == (heavy, Link("tool"), Link("arm"))


def test_parts_are_added_to_links_that_are_stated_elsewhere() -> None:
    ball = Geom(Sphere(0.1))
    inertial = Inertial(1.0, UNIT)
    robot = arm().visual("arm", ball).collision("arm", ball).geom("arm", ball)
    link = robot.inertial("arm", inertial).site("arm", Site("tip")).build().structure.link("arm")
    assert [geom.role for geom in link.geoms] == [
        GeomRole.VISUAL,
        GeomRole.COLLISION,
        GeomRole.BOTH,
    ]
    assert link.visuals == (link.geoms[0], link.geoms[2])
    assert link.collisions == (link.geoms[1], link.geoms[2])
    assert link.inertial == inertial
    assert link.sites == (Site("tip"),)


def test_parts_for_a_link_that_nobody_states_are_a_fault() -> None:
    issues = Issues()
    arm().visual("amr", Geom(Sphere(0.1))).build(issues)
    (issue,) = issues
    assert issue.code.id == "N305"
    assert "'amr', which is not defined; did you mean 'arm'?" in issue.message


def test_everything_else_is_kept_in_order() -> None:
    builder = arm().material(Material("red", (1.0, 0.0, 0.0, 1.0)))
    builder.actuator(Actuator("a", "hinge")).actuator(Actuator("b", "hinge"))
    builder.keyframe(Keyframe("home")).exclude(Exclude("base", "arm")).option(Option(0.002))
    robot = builder.build()
    assert [actuator.name for actuator in robot.actuators] == ["a", "b"]
    assert robot.materials[0].name == "red"
    assert robot.keyframes == (Keyframe("home"),)
    assert robot.excludes == (Exclude("base", "arm"),)
    assert robot.option.timestep == 0.002


def _with_joint(**changes: Any) -> RobotBuilder:
    return RobotBuilder("r").link(Link("base")).joint(replace(HINGE, **changes))


def _with_inertial(**changes: Any) -> RobotBuilder:
    return arm().inertial("arm", replace(Inertial(1.0, UNIT), **changes))


def _with_shape(shape: Any) -> RobotBuilder:
    return arm().collision("arm", Geom(shape))


REFUSED = {
    "zero axis": (_with_joint(axis=(0.0, 0.0, 0.0)), "J211"),
    "axis is NaN": (_with_joint(axis=(math.nan, 0.0, 1.0)), "X012"),
    "offset is infinite": (_with_joint(xyz=(math.inf, 0.0, 1.0)), "X012"),
    "lower above upper": (_with_joint(limit=JointLimit(1.0, -1.0)), "J201"),
    "limit is NaN": (_with_joint(limit=JointLimit(math.nan, 1.0)), "X012"),
    "negative damping": (_with_joint(dynamics=Dynamics(damping=-1.0)), "J215"),
    "negative friction": (_with_joint(dynamics=Dynamics(friction=-1.0)), "J215"),
    "soft limits outside": (_with_joint(safety=Safety(-2.0, 0.5, 1.0, 1.0)), "J208"),
    "mimics itself": (_with_joint(mimic=Mimic("hinge")), "J221"),
    "mimics nobody": (_with_joint(mimic=Mimic("ghost")), "J220"),
    "negative mass": (_with_inertial(mass=-1.0), "I107"),
    "mass is NaN": (_with_inertial(mass=math.nan), "X012"),
    "inertia not positive": (_with_inertial(inertia=Inertia(1.0, 2.0, 0.0, 1.0, 0.0, 1.0)), "I100"),
    "flat sphere": (_with_shape(Sphere(0.0)), "G508"),
    "negative box": (_with_shape(Box((1.0, -1.0, 1.0))), "G508"),
    "capsule without length": (_with_shape(Capsule(0.1, -0.1)), "G508"),
    "actuator on nothing": (arm().actuator(Actuator("a", "ghost")), "A701"),
    "exclude of nothing": (arm().exclude(Exclude("arm", "ghost")), "C920"),
}


@pytest.mark.parametrize(("builder", "code"), REFUSED.values(), ids=REFUSED)
def test_what_build_refuses(builder: RobotBuilder, code: str) -> None:
    with pytest.raises(BuildError) as raised:
        builder.build()
    assert {issue.code.id for issue in raised.value.issues} == {code}


@pytest.mark.parametrize(
    "builder",
    [
        _with_joint(limit=JointLimit(-math.pi, math.pi, velocity=math.inf)),
        _with_joint(kind=JointKind.FIXED, axis=(0.0, 0.0, 0.0)),
        _with_inertial(mass=0.0, inertia=None),
        _with_shape(None),
    ],
    ids=["unlimited velocity", "fixed joint without axis", "a frame", "unknown shape"],
)
def test_what_build_accepts(builder: RobotBuilder) -> None:
    assert isinstance(builder.build(), Robot)


def test_all_faults_come_together() -> None:
    builder = _with_joint(axis=(0.0, 0.0, 0.0), dynamics=Dynamics(-1.0)).link(Link("orphan"))
    builder.link(Link("base")).actuator(Actuator("a", "ghost"))
    with pytest.raises(BuildError) as raised:
        builder.build()
    codes = sorted(issue.code.id for issue in raised.value.issues)
    assert codes == ["A701", "J211", "J215", "T401"]
    assert "(and 3 more)" in str(raised.value)


def test_with_a_list_values_are_left_for_the_rules() -> None:
    issues = Issues()
    robot = _with_joint(axis=(0.0, 0.0, 0.0)).build(issues)
    assert not list(issues)
    assert robot.joints[0].axis == (0.0, 0.0, 0.0)


def test_attached_robots_keep_apart_by_prefix() -> None:
    hand = (
        RobotBuilder("hand")
        .link(Link("palm"))
        .joint(Joint("finger", JointKind.REVOLUTE, "palm", "tip", mimic=Mimic("thumb")))
        .joint(Joint("thumb", JointKind.REVOLUTE, "palm", "thumb_tip"))
        .actuator(Actuator("grip", "thumb"))
        .exclude(Exclude("tip", "thumb_tip"))
        .build()
    )
    mount = Joint("mount", parent="arm", xyz=(0.0, 0.0, 0.1))
    robot = arm().attach(hand, mount, prefix="left_").build()
    assert robot.structure.inbound("left_palm") == (replace(mount, child="left_palm"),)
    finger = robot.structure.joint("left_finger")
    assert (finger.parent, finger.child) == ("left_palm", "left_tip")
    assert finger.mimic == Mimic("left_thumb")
    assert robot.actuators == (Actuator("left_grip", "left_thumb"),)
    assert robot.excludes == (Exclude("left_tip", "left_thumb_tip"),)


def test_attaching_the_same_robot_twice_needs_another_prefix() -> None:
    gripper = RobotBuilder("gripper").link(Link("palm")).build()
    mount = Joint("mount", parent="arm")
    again = replace(mount, name="mount_2")
    builder = arm().attach(gripper, mount).attach(gripper, again)
    with pytest.raises(BuildError, match="the name 'palm' is taken"):
        builder.build()
    assert len(arm().attach(gripper, mount).attach(gripper, again, prefix="b_").build().links) == 4
