"""What two Robots say differently: each change is found once, and spelling is none."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from phyzctl.formats import read
from phyzctl.geometry.shapes import Box, Sphere
from phyzctl.issues import Issues
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.difference import Difference, differences
from phyzctl.robot.elements import (
    Geom,
    Inertia,
    Inertial,
    Joint,
    JointKind,
    JointLimit,
    Link,
    Site,
)
from phyzctl.robot.mechanism import Actuator, Exclude, Keyframe
from phyzctl.robot.robot import Robot
from tests.corpus import SAMPLES, files_with_root

_HALF = math.sqrt(0.5)


def robot(
    *,
    mass: float = 1.0,
    joint: Joint | None = None,
    geoms: tuple[Geom, ...] = (Geom(Box((1.0, 2.0, 3.0)), name="shell"), Geom(Sphere(0.5))),
    more: tuple[Joint, ...] = (),
) -> Robot:
    limit = JointLimit(-1.0, 1.0, 5.0, 2.0)
    elbow = joint or Joint("elbow", JointKind.REVOLUTE, "base", "arm", limit=limit)
    inertial = Inertial(mass=mass, inertia=Inertia(1, 0, 0, 1, 0, 1))
    builder = RobotBuilder("r").link(Link("base")).link(Link("arm", inertial, geoms)).joint(elbow)
    for another in more:
        builder.joint(another)
    return builder.exclude(Exclude("base", "arm")).keyframe(Keyframe(qpos=(0.5,))).build()


def found(before: Robot, after: Robot) -> list[Difference]:
    return list(differences(before, after))


@pytest.mark.parametrize(
    "path",
    [*files_with_root(SAMPLES, "robot"), *files_with_root(SAMPLES, "mujoco")],
    ids=lambda path: path.name,
)
def test_a_robot_does_not_differ_from_itself(path: Path) -> None:
    one, other = (read(str(path), Issues()).robot for _ in range(2))
    if one is not None and other is not None:
        assert found(one, other) == []


def test_a_value_is_named_by_its_element_and_path() -> None:
    (only,) = found(robot(mass=1.0), robot(mass=1.5))
    assert only == Difference("link", "arm", "inertial.mass", 1.0, 1.5)


_ELBOW = robot().structure.joint("elbow")
_CHANGES = {
    "kind": (replace(_ELBOW, kind=JointKind.PRISMATIC), "kind"),
    "limit": (replace(_ELBOW, limit=replace(_ELBOW.limit, upper=2.0)), "limit.upper"),
    "place": (replace(_ELBOW, xyz=(0.0, 0.0, 1.0)), "xyz"),
    "axis": (replace(_ELBOW, axis=(0.0, 1.0, 0.0)), "axis"),
    "turn": (replace(_ELBOW, rpy=(0.0, 0.0, 0.1)), "orientation"),
    "unwritten": (replace(_ELBOW, limit=replace(_ELBOW.limit, effort=None)), "limit.effort"),
}


@pytest.mark.parametrize(("joint", "path"), _CHANGES.values(), ids=_CHANGES.keys())
def test_each_change_of_a_joint_is_one_difference(joint: Joint, path: str) -> None:
    (only,) = found(robot(), robot(joint=joint))
    assert (only.kind, only.name, only.path) == ("joint", "elbow", path)


_SAME = {
    "as a quaternion": {"quat": (_HALF, 0.0, 0.0, _HALF)},
    "its negative": {"quat": (-_HALF, 0.0, 0.0, -_HALF)},
    "of another length": {"quat": (3.0, 0.0, 0.0, 3.0)},
    "a turn more": {"rpy": (0.0, 0.0, math.pi / 2 + 2 * math.pi)},
    "turned upside down": {"rpy": (math.pi, math.pi, math.pi / 2 + math.pi)},
}


@pytest.mark.parametrize("spelling", _SAME.values(), ids=_SAME.keys())
def test_one_orientation_has_many_spellings(spelling: dict[str, tuple[float, ...]]) -> None:
    before = replace(_ELBOW, rpy=(0.0, 0.0, math.pi / 2))
    after = replace(_ELBOW, **spelling)  # type: ignore[arg-type]
    assert found(robot(joint=before), robot(joint=after)) == []


def test_an_orientation_that_could_not_be_read_differs() -> None:
    unread = replace(_ELBOW, rpy=None)
    assert [one.path for one in found(robot(), robot(joint=unread))] == ["orientation"]
    assert found(robot(joint=unread), robot(joint=unread)) == []


def test_numbers_within_the_tolerance_are_equal() -> None:
    before, after = robot(mass=1000.0), robot(mass=1000.0 + 5e-7)
    assert found(before, after) == []
    assert [one.path for one in differences(before, after, tolerance=1e-12)] == ["inertial.mass"]


def test_nan_equals_nan_and_nothing_else() -> None:
    nan = replace(_ELBOW, limit=JointLimit(math.nan, 1.0, 5.0, 2.0))
    spoilt = replace(robot(), joints=(nan,))
    assert found(spoilt, spoilt) == []
    assert [one.path for one in found(robot(), spoilt)] == ["limit.lower"]


def test_elements_that_only_one_has() -> None:
    wrist = Joint("wrist", JointKind.FIXED, "arm", "hand")
    names = [(one.kind, one.name, one.path) for one in found(robot(), robot(more=(wrist,)))]
    assert names == [("link", "hand", ""), ("joint", "wrist", "")]
    (link, joint) = found(robot(more=(wrist,)), robot())
    assert (link.before, link.after) == (Link("hand"), None)
    assert joint.after is None


def test_geoms_are_paired_by_name_and_else_by_place() -> None:
    shell, ball = robot().structure.link("arm").geoms
    assert found(robot(), robot(geoms=(replace(shell, group=3), ball)))[0].path == (
        "geoms[shell].group"
    )
    (shape,) = found(robot(), robot(geoms=(shell, replace(ball, shape=Box((1.0, 1.0, 1.0))))))
    assert shape.path == "geoms[#1].shape"
    assert shape.after == Box((1.0, 1.0, 1.0))
    (gone,) = found(robot(), robot(geoms=(shell,)))
    assert (gone.path, gone.before, gone.after) == ("geoms[#1]", ball, None)


def test_the_order_of_links_and_excludes_does_not_count() -> None:
    one = robot()
    other = replace(
        one, links=one.links[::-1], excludes=(Exclude("arm", "base"),), joints=one.joints
    )
    assert found(one, other) == []


def test_the_order_of_joints_and_actuators_is_that_of_q_and_ctrl() -> None:
    wrist = Joint("wrist", JointKind.CONTINUOUS, "arm", "hand")
    one = replace(
        robot(more=(wrist,)),
        actuators=(Actuator("a", "elbow"), Actuator("b", "wrist")),
    )
    other = replace(one, joints=one.joints[::-1], actuators=one.actuators[::-1])
    paths = [each.path for each in found(one, other)]
    assert paths == ["order of joints", "order of actuators"]


def test_settings_and_the_name() -> None:
    one = robot()
    other = replace(one, name="s", option=replace(one.option, timestep=0.002), dialect="mjcf")
    assert found(one, other) == [
        Difference("robot", "", "name", "r", "s"),
        Difference("option", "", "timestep", None, 0.002),
    ]


def test_sites_appear() -> None:
    link = robot().structure.link("arm")
    other = replace(robot(), links=(Link("base"), replace(link, sites=(Site(name="tip"),))))
    (only,) = found(robot(), other)
    assert (only.path, only.before) == ("sites[tip]", None)
