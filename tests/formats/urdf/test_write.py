"""URDF as it is written: what comes back is the robot that went in, but for the losses told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phyzctl.formats import ReadOptions, read, read_bytes
from phyzctl.formats.format import WriteOptions, Written
from phyzctl.formats.urdf import FORMAT
from phyzctl.geometry.shapes import Box, Ellipsoid
from phyzctl.issues import Issues
from phyzctl.model.compiler import compile as compile_model
from phyzctl.model.joint import JointType
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import (
    Geom,
    Inertia,
    Inertial,
    Joint,
    JointKind,
    JointLimit,
    Link,
    Transmission,
    TransmissionEnd,
)
from phyzctl.robot.robot import Robot
from tests.corpus import SAMPLES, files_with_root, robot_params
from tests.formats.equivalence import differences
from tests.model.test_urdf_against_pinocchio import compare

_HEALTHY = [path for path in files_with_root(SAMPLES, "robot") if "broken" not in path.parts]
_MJCF = [path for path in files_with_root(SAMPLES, "mujoco") if "broken" not in path.parts]


def robot_in(path: Path) -> Robot:
    """What `convert` would write: it refuses a file with errors, but for files that are missing."""
    issues = Issues()
    robot = read(str(path), issues).robot
    faults = [str(issue) for issue in issues.errors if not issue.code.id.startswith("F")]
    if robot is None or faults:
        pytest.skip(f"has errors: {faults[:1]}"[:100])
    return robot


def written(robot: Robot, folder: Path | None = None) -> Written:
    assert FORMAT.write is not None
    return FORMAT.write(robot, WriteOptions(folder=str(folder) if folder else None))


def read_back(text: str, folder: Path | None = None) -> Robot:
    issues = Issues()
    name = str((folder or Path()) / "written.urdf")
    robot = read_bytes(text.encode(), name, issues, ReadOptions()).robot
    assert robot is not None
    structural = ("X", "T", "N")
    assert not [str(issue) for issue in issues.errors if issue.code.id[0] in structural]
    return robot


def mjcf(text: str) -> Robot:
    robot = read_bytes(f"<mujoco>{text}</mujoco>".encode(), "robot.xml", Issues()).robot
    assert robot is not None
    return robot


def codes_of(result: Written) -> set[str]:
    return {loss.code.id for loss in result.losses}


# What is a URDF stays one, number by number.


@pytest.mark.parametrize("path", _HEALTHY, ids=lambda path: path.name)
def test_a_urdf_comes_back_equal(path: Path) -> None:
    robot = robot_in(path)
    result = written(robot, path.parent)
    assert read_back(result.text, path.parent) == robot
    assert result.losses == ()


@pytest.mark.parametrize("path", robot_params("s", "robot"))
@pytest.mark.slow
def test_a_urdf_of_tier_s_comes_back_equal(path: Path) -> None:
    robot = robot_in(path)
    before = compile_model(robot)
    result = written(robot, path.parent)
    after = compile_model(read_back(result.text, path.parent))
    assert differences(before, after, result.losses) == []
    assert all("could not be read" in loss.message for loss in result.losses)


# MJCF into URDF


@pytest.mark.parametrize("path", _MJCF, ids=lambda path: path.name)
def test_an_mjcf_moves_and_weighs_the_same_as_a_urdf(path: Path) -> None:
    robot = robot_in(path)
    result = written(robot, path.parent)
    after = compile_model(read_back(result.text, path.parent))
    assert differences(compile_model(robot), after, result.losses) == []


@pytest.mark.parametrize("path", robot_params("s", "mujoco"))
@pytest.mark.slow
def test_an_mjcf_of_tier_s_moves_and_weighs_the_same_as_a_urdf(path: Path) -> None:
    test_an_mjcf_moves_and_weighs_the_same_as_a_urdf(path)


# The same, by hand

_INERTIAL = '<inertial pos="0.1 0.2 0.3" mass="2" diaginertia="1 2 2.5"/>'


def tip_of(robot: Robot, **q: float) -> Any:
    """Where the body "arm" has its centre of mass, and how it is turned."""
    model = compile_model(robot)
    positions = model.default_state().q
    for name, value in q.items():
        positions[model.q_slice(name)] = value
    number = model.body_index("arm")
    assert number is not None
    X = model.kinematics(positions).bodies[number]
    return X[:3, :3] @ model.bodies[number].com + X[:3, 3], X[:3, :3]


def test_an_anchor_is_folded_into_poses_and_told() -> None:
    robot = mjcf(
        '<compiler angle="radian"/><worldbody><body name="arm" pos="1 0 0">'
        f'<joint name="hinge" pos="0.5 0 0" axis="0 0 1" ref="0.25"/>{_INERTIAL}'
        '<body name="hand" pos="0 0 1"><geom type="box" size="1 1 1"/></body></body></worldbody>'
    )
    result = written(robot)
    back = read_back(result.text)
    assert "L010" in codes_of(result)
    # The hinge stands at (1.5, 0, 0); a turn by 0.25 + pi/2 is a quarter beyond the authored pose.
    com, _ = tip_of(back, hinge=0.25 + np.pi / 2)
    np.testing.assert_allclose(com, [1.5 - 0.2, -0.4, 0.3], atol=1e-12)
    com, turned = tip_of(back, hinge=0.25)
    np.testing.assert_allclose(com, [1.1, 0.2, 0.3], atol=1e-12)
    np.testing.assert_allclose(turned, np.eye(3), atol=1e-12)


def test_several_joints_become_a_chain_of_massless_links() -> None:
    robot = mjcf(
        '<compiler angle="radian"/><worldbody><body name="arm" pos="0 0 1">'
        '<joint name="x" type="slide" axis="1 0 0"/>'
        '<joint name="turn" axis="0 0 1" pos="0 1 0"/>'
        f'<joint name="tilt" axis="0 1 0" pos="1 0 0"/>{_INERTIAL}</body></worldbody>'
    )
    result = written(robot)
    back = read_back(result.text)
    assert [link.name for link in back.links] == ["world", "arm", "arm_x", "arm_turn"]
    assert all(link.inertial is None for link in back.links if link.name != "arm")
    assert "L010" in codes_of(result)
    assert differences(compile_model(robot), compile_model(back), result.losses) == []


def test_a_ball_joint_becomes_three_hinges_that_reach_every_turn() -> None:
    ball = '<joint name="ball" type="ball"/>'
    robot = mjcf(f'<worldbody><body name="arm">{ball}{_INERTIAL}</body></worldbody>')
    result = written(robot)
    back = read_back(result.text)
    model = compile_model(back)
    assert [j.name for j in model.joints if j.nv] == ["ball_x", "ball_y", "ball_z"]
    _, turned = tip_of(back, ball_x=np.pi / 2)
    np.testing.assert_allclose(turned, [[1, 0, 0], [0, 0, -1], [0, 1, 0]], atol=1e-12)
    assert "L010" in codes_of(result)


def test_a_free_body_of_the_world_is_a_root_link() -> None:
    robot = mjcf(f'<worldbody><body name="arm"><freejoint/>{_INERTIAL}</body></worldbody>')
    back = read_back(written(robot).text)
    assert [link.name for link in back.links] == ["arm"]
    assert compile_model(back).joints[0].type is JointType.FREE


def test_a_fixed_body_with_mass_needs_the_world_to_stay_fixed() -> None:
    robot = mjcf(f'<worldbody><body name="arm">{_INERTIAL}</body></worldbody>')
    result = written(robot)
    back = read_back(result.text)
    assert [link.name for link in back.links] == ["world", "arm"]
    assert compile_model(back).nv == 0
    assert "L012" in codes_of(result), "the joint has a name that was made up"


def test_a_linear_equality_is_a_mimic_about_zero() -> None:
    robot = mjcf(
        '<compiler angle="radian"/><worldbody><body name="arm"><joint name="a" ref="0.5"/>'
        f'{_INERTIAL}<body><joint name="b" ref="0.1"/>{_INERTIAL}</body></body></worldbody>'
        '<equality><joint joint1="b" joint2="a" polycoef="0.2 -3"/>'
        '<joint joint1="a" polycoef="0.2"/></equality>'
    )
    result = written(robot)
    mimic = read_back(result.text).structure.joint("b").mimic
    assert mimic is not None
    assert (mimic.joint, mimic.multiplier) == ("a", -3.0)
    # b - 0.1 = 0.2 - 3 (a - 0.5)
    assert mimic.offset == pytest.approx(1.8, abs=1e-12)
    assert "L002" in codes_of(result), "a joint held at a number"


def test_every_part_of_a_tensor_is_kept() -> None:
    robot = mjcf(
        '<worldbody><body name="arm"><joint/><inertial pos="1 2 3" quat="0.8 0 0.6 0" mass="2"'
        ' fullinertia="1 2 2.5 0.1 0.2 0.3"/></body></worldbody>'
    )
    back = read_back(written(robot).text)
    ours, theirs = compile_model(robot).bodies[0], compile_model(back).bodies[0]
    np.testing.assert_allclose(theirs.inertia, ours.inertia, atol=1e-12)
    assert abs(ours.inertia[0, 1]) > 0.01
    inertial = back.links[1].inertial
    assert inertial is not None
    assert inertial.inertia == Inertia(1, 0.1, 0.2, 2, 0.3, 2.5)


def test_a_mass_without_a_tensor_is_written_with_one_of_zeros() -> None:
    robot = mjcf('<worldbody><body name="arm"><inertial pos="0 0 0" mass="2"/></body></worldbody>')
    inertial = read_back(written(robot).text).structure.link("arm").inertial
    assert inertial is not None
    assert inertial.inertia == Inertia(0, 0, 0, 0, 0, 0)


def test_a_mass_made_of_shapes_is_written_as_a_number() -> None:
    robot = mjcf(
        '<worldbody><body name="arm"><joint/><geom type="box" size="0.5 0.5 0.5"/>'
        "</body></worldbody>"
    )
    result = written(robot)
    inertial = read_back(result.text).structure.link("arm").inertial
    assert inertial is not None
    assert inertial.mass == pytest.approx(1000.0, rel=1e-12)  # a cubic metre of water
    assert "L011" in codes_of(result)


_LOSSES = {
    "L001": '<actuator><motor joint="a"/></actuator>',
    "L002": '<tendon><fixed name="t"><joint joint="a" coef="1"/></fixed></tendon>',
    "L003": '<sensor><jointpos joint="a"/></sensor>',
    "L004": '<keyframe><key qpos="0.5"/></keyframe>',
    "L005": (
        f'<worldbody><body name="other"><joint/>{_INERTIAL}</body></worldbody>'
        '<contact><exclude body1="arm" body2="other"/></contact>'
    ),
    "L008": '<option gravity="0 0 -1"/>',
    "L009": '<visual><global fovy="45"/></visual>',
}
_ARM = (
    '<worldbody><body name="arm"><joint name="a"/>'
    f'{_INERTIAL}<body name="hand"/></body></worldbody>'
)


@pytest.mark.parametrize("code", _LOSSES)
def test_what_is_lost_is_told_with_its_place(code: str) -> None:
    robot = mjcf(f"{_ARM}\n{_LOSSES[code]}")
    found = [loss for loss in written(robot).losses if loss.code.id == code]
    assert {(loss.source.line if loss.source else None) for loss in found} == {2}
    unchanged = written(mjcf(_ARM)).losses
    assert not {loss.message for loss in found} <= {loss.message for loss in unchanged}


_JOINT_VALUES = {
    "armature": 'armature="1"',
    "spring": 'stiffness="1"',
    "softness": 'solreflimit="0.01 1"',
    "wider bound": 'actuatorfrcrange="-1 2"',
    "not linear": 'damping="1 2"',
    "gravity compensation": 'actuatorgravcomp="true"',
}


@pytest.mark.parametrize("word", _JOINT_VALUES)
def test_a_value_of_a_joint_that_is_lost_is_told(word: str) -> None:
    robot = mjcf(_ARM.replace('name="a"', f'name="a" {_JOINT_VALUES[word]}'))
    found = [loss.message for loss in written(robot).losses if loss.code.id == "L006"]
    assert [message for message in found if word in message]


def test_one_kind_of_loss_is_one_issue_that_counts() -> None:
    robot = mjcf(
        f"{_ARM}<actuator><motor name='m' joint='a'/><motor name='n' joint='a'/></actuator>"
    )
    (loss,) = [loss for loss in written(robot).losses if loss.code.id == "L001"]
    assert "2 times: m" not in loss.message
    assert "2 times: actuator 'm', actuator 'n'" in loss.message
    assert len(loss.related) == 1


_BALL = '<geom size="0.1"/>'


def test_an_exclude_of_neighbours_is_no_loss_and_a_standing_one_that_could_touch_is() -> None:
    standing = f'<worldbody>{_BALL}<body name="arm"><joint/>{_BALL}</body></worldbody>'
    (loss,) = [each for each in written(mjcf(standing)).losses if each.code.id == "L005"]
    assert "lets a body touch" in loss.message
    exclude = '<contact><exclude body1="arm" body2="world"/></contact>'
    assert "L005" not in codes_of(written(mjcf(standing + exclude)))


# A robot of a program


def test_a_built_robot_gets_what_urdf_insists_on() -> None:
    cube = Inertial(mass=1.0, inertia=Inertia(1, 0, 0, 1, 0, 1))
    slide = Joint("slide", JointKind.PRISMATIC, "base", "cart", limit=JointLimit(-1.0, 2.0))
    robot = (
        RobotBuilder("built")
        .link(Link("base", inertial=cube))
        .joint(slide)
        .inertial("cart", cube)
        .collision("cart", Geom(Box((1.0, 2.0, 3.0))))
        .collision("cart", Geom(Ellipsoid((1.0, 2.0, 3.0))))
        .build()
    )
    result = written(robot)
    limit = read_back(result.text).structure.joint("slide").limit
    assert (limit.lower, limit.upper, limit.effort, limit.velocity) == (-1.0, 2.0, 1e9, 1e9)
    assert codes_of(result) == {"L006", "L007"}


# Pinocchio reads what is written


def compare_with_pinocchio(robot: Robot, folder: Path) -> None:
    pinocchio = pytest.importorskip("pinocchio")
    path = folder / "written.urdf"
    path.write_text(written(robot, folder).text)
    pinocchio.buildModelFromUrdf(str(path))  # refuses what is no URDF
    compare(path)


@pytest.mark.parametrize("path", [*_HEALTHY, *_MJCF], ids=lambda path: path.name)
def test_pinocchio_reads_what_is_written(path: Path, tmp_path: Path) -> None:
    compare_with_pinocchio(robot_in(path), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("path", [*robot_params("s", "robot"), *robot_params("s", "mujoco")])
def test_pinocchio_reads_what_is_written_of_tier_s(path: Path, tmp_path: Path) -> None:
    compare_with_pinocchio(robot_in(path), tmp_path)


def test_a_built_transmission_is_written_out() -> None:
    end = TransmissionEnd("slide", ("a<b",), 2.0)
    stated = Transmission("t", "simple & plain", (end,), (TransmissionEnd("motor"),))
    joint = Joint("slide", JointKind.CONTINUOUS, "base", "cart")
    built = RobotBuilder("r").link(Link("base")).joint(joint).transmission(stated).build()
    (found,) = read_back(written(built).text).transmissions
    assert (found.name, found.kind, found.joints) == (stated.name, stated.kind, stated.joints)
    assert [end.name for end in found.actuators] == ["motor"]
