"""Look-ups over the tree."""

from __future__ import annotations

import pytest

from phyzctl.errors import NotFoundError
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import Joint, JointKind, Link
from phyzctl.robot.robot import Robot


@pytest.fixture
def robot() -> Robot:
    """trunk - (hinge) thigh - (hinge) shin - (fixed) foot; trunk - (fixed) head."""
    builder = RobotBuilder("leg").link(Link("trunk"))
    builder.joint(Joint("hip", JointKind.REVOLUTE, "trunk", "thigh"))
    builder.joint(Joint("neck", JointKind.FIXED, "trunk", "head"))
    builder.joint(Joint("knee", JointKind.REVOLUTE, "thigh", "shin"))
    builder.joint(Joint("ankle", JointKind.FIXED, "shin", "foot"))
    return builder.build()


def test_order_is_depth_first_with_siblings_as_authored(robot: Robot) -> None:
    assert [link.name for link in robot] == ["trunk", "thigh", "shin", "foot", "head"]


def test_family(robot: Robot) -> None:
    structure = robot.structure
    assert structure.root.name == "trunk"
    assert [link.name for link in structure.children("trunk")] == ["thigh", "head"]
    assert structure.children("foot") == ()
    parent = structure.parent("foot")
    assert parent is not None
    assert parent.name == "shin"
    assert structure.parent("trunk") is None
    assert [joint.name for joint in structure.inbound("shin")] == ["knee"]
    assert structure.inbound("trunk") == ()
    assert len(structure) == 5


def test_rigid_groups_are_what_fixed_joints_weld(robot: Robot) -> None:
    groups = [[link.name for link in group] for group in robot.structure.rigid_groups()]
    assert groups == [["trunk", "head"], ["thigh"], ["shin", "foot"]]


def test_a_link_moved_by_any_joint_of_its_series_is_not_welded() -> None:
    builder = RobotBuilder("slider").link(Link("rail"))
    builder.joint(Joint("weld", JointKind.FIXED, "rail", "cart"))
    builder.joint(Joint("slide", JointKind.PRISMATIC, "rail", "cart"))
    groups = builder.build().structure.rigid_groups()
    assert [[link.name for link in group] for group in groups] == [["rail"], ["cart"]]


def test_an_unknown_name_is_an_error_that_offers_the_nearest(robot: Robot) -> None:
    with pytest.raises(NotFoundError, match=r"no link named 'thig'; did you mean 'thigh'\?"):
        robot.structure.link("thig")
    with pytest.raises(NotFoundError, match=r"no joint named 'kne'; did you mean 'knee'\?"):
        robot.structure.joint("kne")
    with pytest.raises(NotFoundError, match=r"no link named 'zebra'$"):
        robot.structure.children("zebra")
    assert robot.structure.has_link("thigh")
    assert not robot.structure.has_joint("thigh")


def test_a_robot_without_links_has_no_root() -> None:
    with pytest.raises(NotFoundError, match="no links"):
        Robot("empty", (), ()).structure.root  # noqa: B018
