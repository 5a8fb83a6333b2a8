"""A robot hung on another: where it stands, what it is called, what is lost; MuJoCo agrees."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

import phyzctl
from phyzctl.errors import NotFoundError
from phyzctl.formats import read_bytes, write
from phyzctl.formats.attachment import Mount, attached
from phyzctl.issues import Issue, Issues, LoadError
from phyzctl.robot.robot import Robot
from phyzctl.spatial import pose
from tests.corpus import SAMPLES

ARM, ARM_MJCF = SAMPLES / "six_axis_arm.urdf", SAMPLES / "six_axis_arm.xml"
HAND, HAND_MJCF = SAMPLES / "three_finger_hand.urdf", SAMPLES / "three_finger_hand.xml"
TILTED = (0.1, -0.2, 0.3, 0.4, -0.5, 0.6)
PAIRS = [(ARM, HAND), (ARM, HAND_MJCF), (ARM_MJCF, HAND), (ARM_MJCF, HAND_MJCF)]


def read(text: str) -> Robot:
    issues = Issues()
    robot = read_bytes(text.encode(), "part.xml", issues).robot
    assert robot is not None
    assert not issues.errors
    return robot


def mjcf(body: str, more: str = "") -> Robot:
    return read(f'<mujoco model="m"><worldbody>{body}</worldbody>{more}</mujoco>')


def told(losses: list[Issue]) -> list[str]:
    return [f"{loss.code} {loss.message}" for loss in losses]


BASE = '<body name="base"><geom name="g" size="0.1" mass="1"/></body>'
PART = '<body name="part" pos="1 2 3"><geom name="g" size="0.2" mass="2"/></body>'


@pytest.mark.parametrize(("carrier", "part"), PAIRS, ids=lambda path: path.name)
def test_the_part_stands_where_it_is_hung(carrier: Path, part: Path) -> None:
    robot, hand = phyzctl.load(carrier), phyzctl.load(part)
    to = robot.links[-1].name
    whole = phyzctl.attach(robot, hand, to, prefix="tool_", pose=TILTED)
    assert whole.dialect == robot.dialect
    model, alone, own = (phyzctl.compile(each) for each in (whole, hand, robot))
    q = model.default_state().q
    X_W = dict(zip((b.name for b in model.bodies), model.kinematics(q).bodies, strict=True))
    placed = alone.kinematics(alone.default_state().q).bodies
    X_P = dict(zip((b.name for b in alone.bodies), placed, strict=True))
    carried = X_W[to] @ pose(TILTED[:3], TILTED[3:])
    for name, X in X_P.items():
        np.testing.assert_allclose(X_W[f"tool_{name}"], carried @ X, atol=1e-9)
        body = model.bodies[model.body_index(f"tool_{name}") or 0]
        assert body.mass == pytest.approx(alone.bodies[alone.body_index(name) or 0].mass, abs=1e-9)
    assert model.nv == own.nv + alone.nv
    assert sum(b.mass for b in model.bodies) == pytest.approx(
        sum(b.mass for b in (*own.bodies, *alone.bodies))
    )


@pytest.mark.parametrize(("carrier", "part"), PAIRS, ids=lambda path: path.name)
def test_the_whole_is_written_and_reads_back(carrier: Path, part: Path) -> None:
    robot = phyzctl.load(carrier)
    whole = phyzctl.attach(robot, phyzctl.load(part), robot.links[-1].name, prefix="tool_")
    text = write(whole, whole.dialect or "").text
    assert phyzctl.compile(read(text)).nv == phyzctl.compile(whole).nv
    model = mujoco.MjModel.from_xml_string(write(whole, "mjcf").text)
    assert model.nv == phyzctl.compile(whole).nv


def test_mujoco_attaches_alike() -> None:
    base = '<body name="base" pos="0 0 1" euler="10 20 30"><geom size="0.1" mass="1"/></body>'
    part = (
        '<body name="part" pos="1 2 3" euler="5 6 7"><joint name="j" axis="0 1 0"/>'
        '<geom size="0.1 0.2 0.3" type="box" mass="2"/></body>'
    )
    texts = [f"<mujoco><worldbody>{each}</worldbody></mujoco>" for each in (base, part)]
    parent, child = (mujoco.MjSpec.from_string(text) for text in texts)
    quat = np.zeros(4)
    mujoco.mju_euler2Quat(quat, list(TILTED[3:]), "XYZ")
    frame = parent.body("base").add_frame(pos=TILTED[:3], quat=quat)
    parent.attach(child, prefix="p_", frame=frame)
    theirs = parent.compile()
    data = mujoco.MjData(theirs)
    whole = phyzctl.attach(mjcf(base), mjcf(part), "base", prefix="p_", pose=TILTED)
    ours = phyzctl.compile(whole)
    q = np.array([0.7])
    data.qpos[:] = q
    mujoco.mj_kinematics(theirs, data)
    X = ours.kinematics(q).bodies[ours.body_index("p_part") or 0]
    body = theirs.body("p_part").id
    np.testing.assert_allclose(X[:3, 3], data.xpos[body], atol=1e-9)
    np.testing.assert_allclose(X[:3, :3].ravel(), data.xmat[body], atol=1e-9)


def test_an_empty_world_and_a_free_base_give_way() -> None:
    part = mjcf('<body name="part" pos="1 2 3"><freejoint/><geom size="1"/></body>')
    whole, lost = attached(mjcf(BASE), part, Mount("base", "p_"))
    assert [link.name for link in whole.links] == ["world", "base", "p_part"]
    (joint,) = whole.structure.inbound("p_part")
    assert (joint.kind, joint.parent, joint.xyz) == (
        phyzctl.JointKind.FIXED,
        "base",
        (1.0, 2.0, 3.0),
    )
    assert told(lost) == [
        "L010 the free joint of an attached robot's base gives way to a fixed one"
    ]


def test_a_world_with_something_on_it_comes_along() -> None:
    part = mjcf('<geom name="plate" size="1 1 0.1" type="box"/>' + PART)
    whole, lost = attached(mjcf(BASE), part, Mount("base", "p_"))
    assert [geom.name for geom in whole.structure.link("p_world").geoms] == ["p_plate"]
    assert not lost


def test_names_that_clash_are_errors() -> None:
    with pytest.raises(phyzctl.PhyzctlError, match="both robots have a link named 'base'"):
        attached(mjcf(BASE), mjcf(BASE), Mount("base"))
    with pytest.raises(LoadError, match="the name 'g' is taken") as caught:
        attached(mjcf(BASE), mjcf(PART), Mount("base"))
    assert {issue.code.id for issue in caught.value.issues} == {"N301"}
    attached(mjcf(BASE), mjcf(BASE), Mount("base", "second_"))


def test_an_unknown_link_is_told_with_a_guess() -> None:
    with pytest.raises(NotFoundError, match="no link named 'bse'; did you mean 'base'"):
        attached(mjcf(BASE), mjcf(PART), Mount("bse"))


def test_keyframes_of_the_carrier_cover_the_part() -> None:
    base = mjcf(
        '<body name="a"><joint name="a"/><geom size="1"/>'
        '<body name="b"><joint name="b"/><geom size="1"/></body></body>',
        '<actuator><motor joint="a"/></actuator>'
        '<keyframe><key name="k" qpos="0.1 0.2" qvel="3 4" ctrl="5"/></keyframe>',
    )
    part = mjcf(
        '<body name="p"><joint name="p" ref="30"/><geom size="1"/></body>',
        '<actuator><motor joint="p"/></actuator><keyframe><key qpos="1"/></keyframe>',
    )
    whole, lost = attached(base, part, Mount("a", "x_"))
    model = phyzctl.compile(whole)
    (key,) = whole.keyframes
    assert key.qpos is not None
    assert key.qvel is not None
    wanted = {"a": (0.1, 3.0), "b": (0.2, 4.0), "x_p": (np.pi / 6, 0.0)}
    for name, values in wanted.items():
        number = model.joint_index(name)
        assert number is not None
        found = key.qpos[model.q_slice(number)] + key.qvel[model.v_slice(number)]
        assert found == pytest.approx(values)
    assert key.ctrl == (5.0, 0.0)
    assert told(lost) == ["L004 the keyframes of an attached robot are left out"]


def test_options_and_settings_are_those_of_the_carrier() -> None:
    part = read(
        '<mujoco><compiler settotalmass="3"/><option gravity="0 0 -1"/>'
        f"<worldbody>{PART}</worldbody></mujoco>"
    )
    whole, lost = attached(mjcf(BASE), part, Mount("base", "p_"))
    assert whole.option == mjcf(BASE).option
    assert [loss.code.id for loss in lost] == ["L008", "L008"]


def test_materials_and_textures_take_the_prefix() -> None:
    painted = (
        '<mujoco><asset><texture name="wood" type="2d" builtin="flat" width="8" height="8"/>'
        '<material name="board" texture="wood"/></asset><worldbody><body name="{0}">'
        '<geom size="1" material="board"/></body></worldbody></mujoco>'
    )
    base, part = read(painted.format("base")), read(painted.format("part"))
    text = write(attached(base, part, Mount("base", "p_"))[0], "mjcf").text
    model = mujoco.MjModel.from_xml_string(text)
    assert (model.nmat, model.ntex) == (2, 2)
    assert model.material("p_board").texid.max() == model.texture("p_wood").id


def test_what_is_kept_as_text_takes_the_prefix_where_it_names_elements() -> None:
    part = read(
        '<robot name="r"><link name="arm"/><gazebo reference="arm"><material name="arm">red'
        '</material></gazebo><gazebo><plugin name="p"><link_name> arm </link_name></plugin>'
        '</gazebo><gazebo reference="other"/></robot>'
    )
    base = read('<robot name="b"><link name="base"/></robot>')
    whole, lost = attached(base, part, Mount("base", "p_"))
    texts = [extension.text for extension in whole.extensions]
    assert texts[0].startswith('<gazebo reference="p_arm">')
    assert "<link_name> arm </link_name>" in texts[1]
    assert texts[2] == '<gazebo reference="other"/>'
    assert told(lost) == ["L012 names in the text of <gazebo> keep no prefix"]


def test_the_same_material_of_two_robots_is_one() -> None:
    grey = '<material name="grey"><color rgba="1 1 1 1"/></material>'
    text = f'<robot name="r">{grey}<link name="{{}}"/></robot>'
    base, part = read(text.format("base")), read(text.format("part"))
    whole, _ = attached(base, part, Mount("base"))
    assert [material.name for material in whole.materials] == ["grey"]


def test_a_robot_without_links_is_refused() -> None:
    empty = Robot("empty", (), ())
    with pytest.raises(phyzctl.PhyzctlError, match="without links"):
        attached(mjcf(BASE), empty, Mount("base"))
