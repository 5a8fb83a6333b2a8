"""Twins are found by their names, and mirrored by the plane between their frames."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from phyzctl.geometry.shapes import Box, MeshShape, Shape, Vec3
from phyzctl.issues import Issues
from phyzctl.lint.extents import Extents
from phyzctl.lint.twins import Twins, mirrored, twins_of
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import Geom, Inertia, Inertial, Joint, JointKind, Link, Mesh

TENSOR = Inertia(0.01, 0.0, 0.0, 0.01, 0.0, 0.01)
NAMES = {
    ("left_arm", "right_arm"): True,
    ("arm_left_2", "arm_right_2"): True,
    ("LeftArm", "RightArm"): True,
    ("LEFT_ARM", "RIGHT_ARM"): True,
    ("upperLeftArm", "upperRightArm"): True,
    ("l_arm", "r_arm"): True,
    ("arm_l", "arm_r"): True,
    ("L_arm", "R_arm"): True,
    ("LThigh", "RThigh"): True,
    ("lThigh", "rThigh"): True,
    ("LF_hip", "RF_hip"): True,
    ("FL_hip", "FR_hip"): True,
    ("rl_hip", "rr_hip"): True,
    ("hl_hip", "hr_hip"): True,
    ("left/wrist", "right/wrist"): True,
    ("left_arm", "right_leg"): False,
    ("left_arm", "Right_arm"): False,
    ("elbow", "erbow"): False,
    ("Lift", "Rift"): False,
    ("left_hand_l", "left_hand_r"): False,
    ("tool", "toor"): False,
}


def robot_of(*links: tuple[str, Vec3], **changes: Joint) -> RobotBuilder:
    """Links on a trunk, each at a place of its own."""
    builder = RobotBuilder("r").link(Link("trunk"))
    for name, xyz in links:
        builder.joint(Joint(f"{name}_joint", JointKind.REVOLUTE, "trunk", name, xyz=xyz))
        builder.inertial(name, Inertial(1.0, TENSOR))
    return builder


def twins(builder: RobotBuilder) -> list[Twins]:
    robot = builder.build(Issues())
    return list(twins_of(robot, Extents(robot.meshes)))


def names(builder: RobotBuilder) -> list[tuple[str, str]]:
    return [(each.left.name, each.right.name) for each in twins(builder)]


@pytest.mark.parametrize("pair", NAMES)
def test_names_of_twins(pair: tuple[str, str]) -> None:
    left, right = pair
    found = names(robot_of((right, (0.0, -0.1, 0.0)), (left, (0.0, 0.1, 0.0))))
    assert found == ([pair] if NAMES[pair] else [])


def test_of_two_sides_in_a_name_the_first_is_exchanged() -> None:
    """The left gripper's left finger weighs what the right gripper's left one does."""
    here, aside, across = "l_grip_l", "l_grip_r", "r_grip_l"
    places = [(name, (0.0, 0.1 * n, 0.0)) for n, name in enumerate((here, aside, across))]
    assert names(robot_of(*places)) == [(here, across)]
    assert names(robot_of(*places[:2])) == []


@pytest.mark.parametrize("mass", [None, 0.0, -1.0, math.nan, math.inf])
def test_only_what_weighs_has_a_twin(mass: float | None) -> None:
    builder = robot_of(("left", (0.0, 0.1, 0.0)), ("right", (0.0, -0.1, 0.0)))
    assert len(twins(builder)) == 1
    assert twins(builder.inertial("right", Inertial(mass, TENSOR))) == []


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [(1.0, 1.0, True), (1.0, 1.0000001, True), (1.0, 1.001, False)],
)
def test_masses_are_compared(left: float, right: float, *, same: bool) -> None:
    builder = robot_of(("left", (0.0, 0.1, 0.0)), ("right", (0.0, -0.1, 0.0)))
    builder.inertial("left", Inertial(left, TENSOR)).inertial("right", Inertial(right, TENSOR))
    (found,) = twins(builder)
    assert found.weigh_the_same is same


QUARTER, HALF = 0.5 * math.pi, math.pi
FRAMES = {
    # place and rpy of left and right: the signs of the mirror
    "square, across y": ((0.0, 0.2, 0.1), (0, 0, 0), (0.0, -0.2, 0.1), (0, 0, 0), (1, -1, 1)),
    "square, across x": ((0.2, 0.0, 0.1), (0, 0, 0), (-0.2, 0.0, 0.1), (0, 0, 0), (-1, 1, 1)),
    "turned about z": (
        (0.0, 0.2, 0.0),
        (0, 0, 0),
        (0.0, -0.2, 0.0),
        (0, 0, HALF),
        (-1, 1, 1),
    ),
    "turned about x": (
        (0.0, 0.2, 0.0),
        (0, 0, 0),
        (0.0, -0.2, 0.0),
        (HALF, 0, 0),
        (1, 1, -1),
    ),
    "turned together": (
        (0.0, 0.2, 0.0),
        (QUARTER, 0, 0),
        (0.0, -0.2, 0.0),
        (QUARTER, 0, 0),
        (1, 1, -1),
    ),
    "leaning, as in a mirror": (
        (0.0, 0.2, 0.0),
        (0.3, 0, 0),
        (0.0, -0.2, 0.0),
        (-0.3, 0, 0),
        (1, -1, 1),
    ),
    "askew": ((0.0, 0.2, 0.0), (0.3, 0, 0), (0.0, -0.2, 0.0), (0.3, 0, 0), None),
    "a quarter turn apart": ((0.0, 0.2, 0.0), (0, 0, 0), (0.0, -0.2, 0.0), (0, 0, QUARTER), None),
    "not opposite": ((0.1, 0.2, 0.0), (0, 0, 0), (-0.1, -0.2, 0.0), (0, 0, 0), None),
    "in one place": ((0.0, 0.0, 0.0), (0, 0, 0), (0.0, 0.0, 0.0), (0, 0, 0), None),
    "nowhere": ((math.nan, 0.0, 0.0), (0, 0, 0), (0.0, 0.0, 0.0), (0, 0, 0), None),
}


@pytest.mark.parametrize("frames", FRAMES.values(), ids=FRAMES)
def test_frames_tell_the_mirror(
    frames: tuple[Vec3, Vec3, Vec3, Vec3, Vec3 | None],
) -> None:
    p, rpy, q, turned, signs = frames
    builder = RobotBuilder("r").link(Link("trunk"))
    for name, xyz, angles in (("left", p, rpy), ("right", q, turned)):
        kind = JointKind.REVOLUTE
        builder.joint(Joint(f"{name}_joint", kind, "trunk", name, xyz=xyz, rpy=angles))
        builder.inertial(name, Inertial(1.0, TENSOR))
    (found,) = twins(builder)
    assert found.mirror == signs


def with_shapes(left: Geom, right: Geom) -> RobotBuilder:
    builder = robot_of(("left", (0.0, 0.1, 0.0)), ("right", (0.0, -0.1, 0.0)))
    for name in ("part", "other"):
        corners = ((0.0, 0.0, 0.0), (0.1, 0.2, 0.3))
        builder.mesh(Mesh(name, vertices=corners, uri=name, scale=(1.0, 1.0, 1.0)))
    return builder.visual("left", left).visual("right", right)


def box(y: float) -> Geom:
    return Geom(Box((0.1, 0.1, 0.2)), xyz=(0.0, y, 0.1))


def test_shapes_must_mirror_too() -> None:
    for right, signs in ((-0.05, (1.0, -1.0, 1.0)), (0.05, None), (-0.06, None)):
        (found,) = twins(with_shapes(box(0.05), box(right)))
        assert found.mirror == signs
        assert found.size == pytest.approx(math.hypot(0.1, 0.1, 0.2))


def test_one_part_mounted_twice_has_no_mirror() -> None:
    shape: Shape = MeshShape("part")
    here, there = Geom(shape, xyz=(0.0, -0.1, 0.0)), Geom(shape, xyz=(0.0, -0.1, 0.0))
    (same,) = twins(with_shapes(here, there))
    assert same.mirror is None
    # The mesh reaches from y = 0 to 0.2: a copy at its mirror image has its centre at y = 0 too.
    (differs,) = twins(with_shapes(here, replace(there, shape=MeshShape("other"))))
    assert differs.mirror == (1.0, -1.0, 1.0)


@pytest.mark.parametrize(("y", "signs"), [(-0.3, (1.0, -1.0, 1.0)), (0.3, None)])
def test_what_hangs_on_twins_must_mirror_too(y: float, signs: Vec3 | None) -> None:
    builder = robot_of(("left", (0.0, 0.1, 0.0)), ("right", (0.0, -0.1, 0.0)))
    for side, place in (("left", 0.3), ("right", y)):
        foot = f"{side}_foot"
        builder.joint(Joint(foot, JointKind.REVOLUTE, side, foot, xyz=(0.0, place, 0.0)))
        builder.inertial(foot, Inertial(1.0, TENSOR))
    found = {each.left.name: each.mirror for each in twins(builder)}
    assert found["left"] == signs
    assert len(found) == 2


def test_a_point_in_the_mirror() -> None:
    assert mirrored((1.0, 2.0, 3.0), (1.0, -1.0, 1.0)) == (1.0, -2.0, 3.0)
