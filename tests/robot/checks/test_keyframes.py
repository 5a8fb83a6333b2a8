"""Keyframes and the start pose; MuJoCo says how many numbers a keyframe takes."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import mujoco
import pytest

from phyzctl.formats import read
from phyzctl.issues import Issues, Severity
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.checks import keyframes, settings
from phyzctl.robot.elements import Extension, Joint, JointKind, JointLimit, Link
from phyzctl.robot.mechanism import Actuator, Keyframe, Option
from phyzctl.robot.robot import Robot
from tests.corpus import SAMPLES

RANGE = JointLimit(-1.0, 1.0)
KINDS = (JointKind.FLOATING, JointKind.REVOLUTE, JointKind.SPHERICAL, JointKind.PRISMATIC)
# free 0..6, hinge 7, ball 8..11, slide 12
GOOD = (0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.5, 0.6, 0.8, 0.0, 0.0, 0.5)


def robot(*keys: Keyframe, dialect: str = "mjcf", **changes: Any) -> Robot:
    """A free body, and below it a hinge, a ball and a slide, all with ranges of -1 to 1."""
    builder = RobotBuilder("r", dialect=dialect).link(Link("world"))
    parent = "world"
    for kind in KINDS:
        builder.joint(Joint(kind.value, kind, parent, f"{kind.value}_link", limit=RANGE))
        parent = f"{kind.value}_link"
    builder.actuator(Actuator("drive", "revolute", ctrl_range=(-2.0, 2.0)))
    for key in keys:
        builder.keyframe(key)
    return replace(builder.build(Issues()), **changes)


def at(index: int, value: float) -> Keyframe:
    return Keyframe("home", qpos=(*GOOD[:index], value, *GOOD[index + 1 :]))


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.xml")), ids=lambda path: path.name)
def test_sizes_and_places_are_mujocos(path: Any) -> None:
    model = mujoco.MjModel.from_xml_path(str(path))
    read_robot = read(str(path), Issues()).robot
    assert read_robot is not None
    sizes = keyframes.keyframe_sizes(read_robot)
    assert sizes == {
        "qpos": model.nq,
        "qvel": model.nv,
        "ctrl": model.nu,
        "mpos": 3 * model.nmocap,
        "mquat": 4 * model.nmocap,
    }
    for slot in keyframes.slots(read_robot):
        if slot.joint.name_stated and slot.joint.kind is not JointKind.FIXED:
            assert slot.start == model.joint(slot.joint.name).qposadr[0]


@pytest.mark.parametrize(
    ("key", "attribute", "severity"),
    [
        (Keyframe(qpos=GOOD, qvel=(0.0,) * 11, ctrl=(0.0,)), None, None),
        (Keyframe(), None, None),
        (Keyframe(qpos=GOOD[:-1]), "qpos", Severity.WARNING),
        (Keyframe(qpos=()), "qpos", Severity.WARNING),
        (Keyframe(qpos=(*GOOD, 0.0)), "qpos", Severity.ERROR),
        (Keyframe(qvel=(0.0,)), "qvel", Severity.ERROR),
        (Keyframe(ctrl=(0.0, 0.0)), "ctrl", Severity.ERROR),
        (Keyframe(mpos=(0.0, 0.0, 0.0)), "mpos", Severity.ERROR),
        (Keyframe(act=(1.0, 2.0, 3.0)), None, None),
    ],
)
def test_a_vector_of_the_wrong_length(
    key: Keyframe, attribute: str | None, severity: Severity | None
) -> None:
    found = [(f.attribute, f.severity) for f in keyframes.keyframe_size(robot(key))]
    assert found == ([] if attribute is None else [(attribute, severity)])


def test_nothing_is_known_of_sizes_where_bodies_are_generated_or_missing() -> None:
    wrong = Keyframe(qpos=(0.0,))
    flexible = robot(wrong, extensions=(Extension("flexcomp", "<flexcomp/>"),))
    assert not list(keyframes.keyframe_size(flexible))
    part = RobotBuilder("r", dialect="mjcf").link(Link("world")).keyframe(wrong)
    assert not list(keyframes.keyframe_size(part.build(Issues())))


@pytest.mark.parametrize(
    ("key", "count"),
    [
        (Keyframe(qpos=GOOD), 0),
        (at(7, 1.0019), 0),  # a thousandth of the range is rounding
        (at(7, 1.0021), 1),
        (at(7, -1.5), 1),
        (at(12, 3.0), 1),
        (at(7, math.nan), 0),  # X012's
        (at(2, 99.0), 0),  # a free joint has no range
        (Keyframe(qpos=(*GOOD[:7], 9.0)), 0),  # K703 says enough
    ],
)
def test_a_position_outside_its_range(key: Keyframe, count: int) -> None:
    found = list(keyframes.keyframe_outside_range(robot(key)))
    assert [(f.element.name, f.attribute) for f in found] == [("home", "qpos")] * count


def test_the_message_names_the_joint_and_the_excess() -> None:
    (found,) = keyframes.keyframe_outside_range(robot(at(12, 1.5)))
    assert found.message == "qpos[12] is 1.5, 0.5 outside the range -1 to 1 of joint 'prismatic'"


@pytest.mark.parametrize(("value", "count"), [(2.0, 0), (2.0039, 0), (2.1, 1), (-5.0, 1)])
def test_a_control_outside_its_range(value: float, count: int) -> None:
    found = list(keyframes.keyframe_ctrl_outside(robot(Keyframe(ctrl=(value,)))))
    assert [finding.attribute for finding in found] == ["ctrl"] * count


def with_limit(limit: JointLimit, ref: float = 0.0, dialect: str = "mjcf") -> Robot:
    builder = RobotBuilder("r", dialect=dialect).link(Link("base"))
    builder.joint(Joint("j", JointKind.REVOLUTE, "base", "arm", limit=limit, ref=ref))
    return builder.build(Issues())


REST = [
    (JointLimit(-1.0, 1.0), 0.0, 0),
    (JointLimit(0.0, 1.0), 0.0, 0),
    (JointLimit(0.1, 1.0), 0.0, 1),
    (JointLimit(-1.0, -0.1), 0.0, 1),
    (JointLimit(0.1, 1.0), 0.5, 0),
    (JointLimit(-1.0, 1.0), 2.0, 1),
    (JointLimit(1.0, -1.0), 0.0, 0),  # J201 says enough
    (JointLimit(), 0.0, 0),
]


@pytest.mark.parametrize(("limit", "ref", "count"), REST)
def test_a_reference_outside_the_range(limit: JointLimit, ref: float, count: int) -> None:
    stated = with_limit(limit, ref)
    assert len(list(keyframes.rest_outside_range(stated))) == count
    started = replace(stated, keyframes=(Keyframe(qpos=(0.5,)),))
    assert not list(keyframes.rest_outside_range(started))
    assert not list(keyframes.rest_outside_range(replace(stated, dialect="urdf")))


@pytest.mark.parametrize(
    ("limit", "place"),
    [
        (JointLimit(-1.0, 1.0), None),
        (JointLimit(0.1, 1.0), "limit@lower"),
        (JointLimit(-1.0, -0.1), "limit@upper"),
        (JointLimit(upper=1.0), None),  # a lower bound that isn't written is 0
        (JointLimit(0.5, 0.5), None),  # J202 says enough
        (JointLimit(effort=1.0), None),
    ],
)
def test_zero_outside_the_limits_of_a_urdf(limit: JointLimit, place: str | None) -> None:
    found = keyframes.zero_outside_limits(with_limit(limit, dialect="urdf"))
    assert [finding.attribute for finding in found] == ([] if place is None else [place])
    assert not list(keyframes.zero_outside_limits(with_limit(limit)))


@pytest.mark.parametrize(
    ("index", "value", "count"), [(3, 1.0009, 0), (3, 1.01, 1), (9, 0.0, 1), (3, 0.0, 1)]
)
def test_quaternions_have_length_one(index: int, value: float, count: int) -> None:
    found = list(keyframes.keyframe_not_unit(robot(at(index, value))))
    assert [finding.attribute for finding in found] == ["qpos"] * count


def test_quaternions_of_mocap_bodies_count_too() -> None:
    builder = RobotBuilder("r", dialect="mjcf").link(Link("world"))
    builder.joint(Joint("fix", JointKind.FIXED, "world", "hand")).link(Link("hand", mocap=True))
    builder.keyframe(Keyframe(mquat=(2.0, 0.0, 0.0, 0.0)))
    (found,) = keyframes.keyframe_not_unit(builder.build(Issues()))
    assert found.attribute == "mquat"


@pytest.mark.parametrize(("step", "count"), [(None, 0), (0.002, 0), (0.0, 1), (-0.001, 1)])
def test_a_time_step_is_positive(step: float | None, count: int) -> None:
    found = list(settings.timestep_not_positive(robot(option=Option(timestep=step))))
    assert [finding.attribute for finding in found] == ["timestep"] * count


@pytest.mark.parametrize(("dialect", "step"), [("mjcf", 0.002), ("urdf", 0.001)])
def test_the_time_step_of_a_file_that_states_none(dialect: str, step: float) -> None:
    assert settings.timestep(robot(dialect=dialect)) == step
    assert settings.timestep(robot(dialect=dialect, option=Option(timestep=0.01))) == 0.01
