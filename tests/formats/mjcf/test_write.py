"""MJCF as it is written: MuJoCo loads it, and finds the robot that went in."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import phyzctl
from phyzctl.formats import read, read_bytes
from phyzctl.formats.format import WriteOptions, Written
from phyzctl.formats.mjcf import FORMAT as MJCF
from phyzctl.formats.urdf import FORMAT as URDF
from phyzctl.issues import Issues
from phyzctl.model.compiler import compile as compile_model
from phyzctl.robot.robot import Robot
from tests.corpus import SAMPLES, files_with_root, robot_params
from tests.formats.equivalence import differences
from tests.formats.mjcf import compiled

mujoco = pytest.importorskip("mujoco")

_URDF = [path for path in files_with_root(SAMPLES, "robot") if "broken" not in path.parts]
_MJCF = [path for path in files_with_root(SAMPLES, "mujoco") if "broken" not in path.parts]

each_urdf = pytest.mark.parametrize("path", _URDF, ids=lambda path: path.name)
each_mjcf = pytest.mark.parametrize("path", _MJCF, ids=lambda path: path.name)


def robot_in(path: Path) -> Robot:
    """What `convert` would write: it refuses a file with errors, but for files that are missing."""
    issues = Issues()
    robot = read(str(path), issues).robot
    faults = [str(issue) for issue in issues.errors if not issue.code.id.startswith("F")]
    if robot is None or faults:
        pytest.skip(f"has errors: {faults[:1]}"[:100])
    return robot


def parsed(text: str, name: str = "robot.xml") -> Robot:
    """What a text says that has nothing wrong with its elements and attributes."""
    issues = Issues()
    robot = read_bytes(text.encode(), name, issues).robot
    assert robot is not None
    assert not [str(issue) for issue in issues if issue.code.id in ("X003", "X004", "X008")]
    return robot


def written(robot: Robot, folder: Path, **options: Any) -> Written:
    assert MJCF.write is not None
    return MJCF.write(robot, WriteOptions(folder=str(folder), **options))


def as_urdf(robot: Robot, folder: Path) -> Written:
    assert URDF.write is not None
    return URDF.write(robot, WriteOptions(folder=str(folder)))


def file_of(result: Written, folder: Path) -> Path:
    path = folder / "written.xml"
    path.write_text(result.text)
    return path


def codes_of(result: Written) -> set[str]:
    return {loss.code.id for loss in result.losses}


# Whole robots


@each_urdf
def test_a_urdf_becomes_an_mjcf_in_which_mujoco_sees_the_same(path: Path, tmp_path: Path) -> None:
    before = robot_in(path)
    result = written(before, tmp_path)
    mjcf = file_of(result, tmp_path)
    model = compile_model(robot_in(mjcf))
    assert differences(compile_model(before), model, result.losses) == []
    assert list(compiled.differences(model, loaded(mjcf, before))) == []


def loaded(mjcf: Path, robot: Robot) -> Any:
    """MuJoCo's model, which it must make of every robot that is sound and whole."""
    missing = any(mesh.uri and mesh.file is None for mesh in robot.meshes)
    if missing or any(issue.fatal for issue in phyzctl.validate(robot)):
        pytest.skip("its meshes are missing, or it has errors")
    return mujoco.MjModel.from_xml_path(str(mjcf))


@each_urdf
def test_there_and_back_a_urdf_is_the_same_robot(path: Path, tmp_path: Path) -> None:
    before = robot_in(path)
    there = written(before, tmp_path)
    back = as_urdf(robot_in(file_of(there, tmp_path)), tmp_path)
    after = compile_model(parsed(back.text, str(tmp_path / "back.urdf")))
    assert differences(compile_model(before), after, [*there.losses, *back.losses]) == []


@each_mjcf
def test_there_and_back_an_mjcf_is_the_same_robot(path: Path, tmp_path: Path) -> None:
    before = robot_in(path)
    there = as_urdf(before, tmp_path)
    robot = parsed(there.text, str(tmp_path / "there.urdf"))
    back = written(robot, tmp_path)
    after = compile_model(robot_in(file_of(back, tmp_path)))
    assert differences(compile_model(before), after, [*there.losses, *back.losses]) == []


@each_mjcf
def test_an_mjcf_comes_back_equal(path: Path, tmp_path: Path) -> None:
    robot = robot_in(path)
    result = written(robot, path.parent)
    again = parsed(result.text, str(path))
    assert result.losses == ()
    assert again == robot
    mjcf = file_of(written(robot, tmp_path), tmp_path)
    theirs = mujoco.MjModel.from_xml_path(str(mjcf))
    assert list(compiled.differences(compile_model(robot_in(mjcf)), theirs)) == []


@each_urdf
def test_with_actuators_there_is_one_for_each_joint_that_follows_no_other(
    path: Path, tmp_path: Path
) -> None:
    before = compile_model(robot_in(path))
    driven = [joint.name for joint in before.joints if joint.nv == 1 and joint.mimic is None]
    for kind in ("motor", "position"):
        result = written(robot_in(path), tmp_path, actuators=kind)
        theirs = mujoco.MjModel.from_xml_path(str(file_of(result, tmp_path)))
        assert [theirs.actuator(i).name for i in range(theirs.nu)] == driven


@pytest.mark.slow
@pytest.mark.parametrize("path", robot_params("s", "robot"))
def test_a_urdf_of_tier_s_becomes_an_mjcf_in_which_mujoco_sees_the_same(
    path: Path, tmp_path: Path
) -> None:
    test_a_urdf_becomes_an_mjcf_in_which_mujoco_sees_the_same(path, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("path", robot_params("s", "robot"))
def test_there_and_back_a_urdf_of_tier_s_is_the_same_robot(path: Path, tmp_path: Path) -> None:
    test_there_and_back_a_urdf_is_the_same_robot(path, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("path", robot_params("s", "mujoco"))
def test_there_and_back_an_mjcf_of_tier_s_is_the_same_robot(path: Path, tmp_path: Path) -> None:
    test_there_and_back_an_mjcf_is_the_same_robot(path, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("path", robot_params("s", "mujoco"))
def test_an_mjcf_of_tier_s_comes_back_as_the_same_model(path: Path, tmp_path: Path) -> None:
    before = robot_in(path)
    result = written(before, tmp_path)
    after = compile_model(robot_in(file_of(result, tmp_path)))
    assert differences(compile_model(before), after, result.losses) == []
    assert codes_of(result) <= {"L001", "L007", "L009"}


# By hand

_INERTIA = '<inertia ixx="1" iyy="2" izz="2.5" ixy="0.1" ixz="0.2" iyz="0.3"/>'
_INERTIAL = (
    f'<inertial><origin xyz="1 2 3" rpy="0.3 0.4 0.5"/><mass value="2"/>{_INERTIA}</inertial>'
)


def arm(joint: str, more: str = "", *, kind: str = "revolute") -> Robot:
    return parsed(
        f'<robot name="r"><link name="base"/><link name="arm">{_INERTIAL}</link>'
        f'<joint name="elbow" type="{kind}"><parent link="base"/><child link="arm"/>'
        f'<origin xyz="0 0 1" rpy="0.1 0.2 0.3"/>{joint}</joint>{more}</robot>',
        "robot.urdf",
    )


_LIMIT = '<limit lower="-1" upper="2" effort="3" velocity="4"/>'


def test_a_full_tensor_in_a_turned_frame_is_the_same_to_mujoco(tmp_path: Path) -> None:
    robot = arm(_LIMIT)
    theirs = mujoco.MjModel.from_xml_path(str(file_of(written(robot, tmp_path), tmp_path)))
    number = theirs.body("arm").id
    ours = compile_model(robot).bodies[1]
    turn = np.zeros(9)
    mujoco.mju_quat2Mat(turn, theirs.body_iquat[number])
    R = turn.reshape(3, 3)
    tensor = R @ np.diag(theirs.body_inertia[number]) @ R.T
    np.testing.assert_allclose(tensor, ours.inertia, atol=1e-9)
    np.testing.assert_allclose(theirs.body_ipos[number], [1, 2, 3], atol=1e-12)


def test_numbers_are_as_short_as_they_can_be(tmp_path: Path) -> None:
    text = written(arm(_LIMIT), tmp_path).text
    assert 'range="-1 2"' in text
    assert 'actuatorfrcrange="-3 3"' in text
    assert 'pos="0 0 1" euler="0.1 0.2 0.3"' in text


@pytest.mark.parametrize(
    ("code", "word", "robot"),
    [
        ("L006", "velocity limit", arm(_LIMIT)),
        ("L006", "calibration", arm(f'{_LIMIT}<calibration rising="0.1"/>')),
        ("L006", "safety", arm(f'{_LIMIT}<safety_controller k_velocity="1"/>')),
        ("L006", "locked", arm('<limit effort="1" velocity="1"/>')),
        ("L006", "effort of 0", arm('<limit lower="0" upper="1" effort="0" velocity="1"/>')),
        ("L010", "planar", arm("", kind="planar")),
        ("L010", "free joints", arm("", kind="floating")),
        ("L012", "the joint's name", arm("", kind="fixed")),
        ("L009", "gazebo", arm(_LIMIT, "<gazebo/>")),
        ("L001", "transmissions", arm(_LIMIT, '<transmission name="t"/>')),
    ],
)
def test_what_is_lost_is_told_with_its_place(
    code: str, word: str, robot: Robot, tmp_path: Path
) -> None:
    losses = [loss for loss in written(robot, tmp_path).losses if loss.code.id == code]
    (found,) = [loss for loss in losses if word in loss.message]
    assert found.source is not None
    assert found.source.path == "robot.urdf"


@pytest.mark.parametrize(("base", "joints"), [("auto", 1), ("fixed", 1), ("floating", 2)])
def test_the_base_stands_as_it_is_told(base: str, joints: int, tmp_path: Path) -> None:
    result = written(arm(_LIMIT), tmp_path, base=base)
    text = result.text
    assert text.count("<freejoint") == joints - 1
    assert compile_model(parsed(text)).nv == (1 if joints == 1 else 7)


def test_a_planar_joint_moves_in_its_plane(tmp_path: Path) -> None:
    robot = arm('<axis xyz="1 0 0"/>', kind="planar")
    result = written(robot, tmp_path)
    after = compile_model(parsed(result.text))
    assert differences(compile_model(robot), after, result.losses) == []


def test_meshes_have_relative_paths_and_names_of_their_own(tmp_path: Path) -> None:
    for folder in ("a", "b", "out"):
        (tmp_path / folder).mkdir()
    for folder in ("a", "b"):
        _write_stl(tmp_path / folder / "part.stl")
    (tmp_path / "a/look.dae").write_text("<COLLADA/>")
    geoms = "".join(
        f'<visual><geometry><mesh filename="{path}"/></geometry></visual>'
        for path in ("a/part.stl", "b/part.stl", "a/look.dae")
    )
    text = f'<robot name="r"><link name="base">{geoms}</link></robot>'
    robot = parsed(text, str(tmp_path / "r.urdf"))
    result = written(robot, tmp_path / "out")
    assert '<mesh file="../a/part.stl"/>' in result.text
    assert '<mesh name="part_2" file="../b/part.stl"/>' in result.text
    assert mujoco.MjModel.from_xml_path(str(file_of(result, tmp_path / "out"))).ngeom == 2
    assert [loss.code.id for loss in result.losses] == ["L007"]


def _write_stl(path: Path) -> None:
    """A tetrahedron with edges of a metre along the axes."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype="<f4")
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    rows = b"".join(bytes(12) + corners[list(face)].tobytes() + bytes(2) for face in faces)
    path.write_bytes(bytes(80) + len(faces).to_bytes(4, "little") + rows)


def test_what_has_no_size_is_left_out(tmp_path: Path) -> None:
    shapes = ('<box size="0 0 0"/>', '<sphere radius="0"/>', '<box size="1 2 3"/>')
    geoms = "".join(f"<visual><geometry>{shape}</geometry></visual>" for shape in shapes)
    robot = parsed(f'<robot name="r"><link name="base">{geoms}</link></robot>', "r.urdf")
    result = written(robot, tmp_path)
    assert mujoco.MjModel.from_xml_string(result.text).geom_size.tolist() == [[0.5, 1.0, 1.5]]
    assert [loss.message for loss in result.losses if "without size" in loss.message]


def test_geoms_of_one_name_stay_apart(tmp_path: Path) -> None:
    box = '<geometry><box size="1 2 3"/></geometry>'
    geoms = f'<visual name="part">{box}</visual><collision name="part">{box}</collision>'
    robot = parsed(f'<robot name="r"><link name="base">{geoms}</link></robot>', "r.urdf")
    result = written(robot, tmp_path)
    theirs = mujoco.MjModel.from_xml_path(str(file_of(result, tmp_path)))
    assert [theirs.geom(i).name for i in range(theirs.ngeom)] == ["part", ""]
    assert theirs.geom_contype.tolist() == [0, 1]
    assert theirs.geom_size.tolist() == [[0.5, 1.0, 1.5]] * 2
    assert "L012" in codes_of(result)


def test_neighbours_that_only_mujoco_lets_touch_are_excluded(tmp_path: Path) -> None:
    ball = '<collision><geometry><sphere radius="1"/></geometry></collision>'
    names = ("base", "a", "b", "c")
    links = "".join(f'<link name="{name}">{_INERTIAL}{ball}</link>' for name in names)
    joints = "".join(
        f'<joint name="{b}" type="continuous"><parent link="{a}"/><child link="{b}"/></joint>'
        for a, b in pairwise(names)
    )
    robot = parsed(f'<robot name="r">{links}{joints}</robot>', "r.urdf")
    for base, excludes in (("fixed", [("base", "a")]), ("floating", [])):
        result = written(robot, tmp_path, base=base)
        again = parsed(result.text)
        assert [(pair.first, pair.second) for pair in again.excludes] == excludes
        model, before = compile_model(again), compile_model(robot, base=base)  # type: ignore[arg-type]
        for i in range(4):
            for j in range(i):
                assert model.may_collide(i, j) == before.may_collide(i, j)


def test_what_is_kept_verbatim_is_written_where_it_still_means_the_same(tmp_path: Path) -> None:
    robot = parsed(
        '<mujoco><visual><global fovy="33"/></visual><worldbody>'
        '<camera name="a" pos="0 0 1"/><camera name="b" euler="0 90 0"/>'
        "</worldbody></mujoco>"
    )
    result = written(robot, tmp_path)
    theirs = mujoco.MjModel.from_xml_path(str(file_of(result, tmp_path)))
    assert theirs.vis.global_.fovy == 33
    assert [theirs.camera(i).name for i in range(theirs.ncam)] == ["a"]
    assert [loss.code.id for loss in result.losses] == ["L009"]


def test_a_material_keeps_a_texture_that_is_written(tmp_path: Path) -> None:
    builtin = 'type="2d" builtin="checker" width="8" height="8"'
    robot = parsed(
        f'<mujoco><asset><texture name="made" {builtin}/><texture name="read" file="a.png"/>'
        '<material name="m" texture="made"/><material name="n" texture="read"/></asset>'
        '<worldbody><geom size="1" material="m"/></worldbody></mujoco>'
    )
    result = written(robot, tmp_path)
    theirs = mujoco.MjModel.from_xml_string(result.text)
    assert (theirs.ntex, theirs.nmat) == (1, 2)
    assert (theirs.mat_texid >= 0).any(axis=1).tolist() == [True, False]
    assert codes_of(result) == {"L007", "L009"}


_LAWS = {
    "motor": '<motor joint="j" gear="2" ctrlrange="-1 1"/>',
    "position": '<position joint="j" kp="5" dampratio="1" inheritrange="1"/>',
    "position filtered": '<position joint="j" kp="5" kv="0.1" timeconst="0.2"/>',
    "velocity": '<velocity joint="j" kv="5"/>',
    "intvelocity": '<intvelocity joint="j" kp="5" actrange="-1 1"/>',
    "damper": '<damper joint="j" kv="2" ctrlrange="0 1"/>',
    "cylinder": '<cylinder joint="j" area="0.5" bias="1 2 3" timeconst="0.3"/>',
    "muscle": '<muscle joint="j" force="30" lengthrange="0.1 0.3"/>',
    "adhesion": '<adhesion body="b" gain="3" ctrlrange="0 1"/>',
    "adhesion of one": '<adhesion body="b" ctrlrange="0 1"/>',
    "general": '<general joint="j" gainprm="0" biastype="affine" biasprm="1 0 -2"/>',
}


def test_a_tendon_and_its_class_come_back(tmp_path: Path) -> None:
    robot = parsed(
        '<mujoco><default><tendon width="0.01" rgba="1 0 0 1" damping="2"/></default>'
        '<worldbody><body><joint name="j"/><geom size="1"/><site name="s"/></body>'
        '<site name="t" pos="0 0 2"/></worldbody><tendon>'
        '<fixed name="f"><joint joint="j" coef="2"/></fixed>'
        '<spatial name="p" range="0 1"><site site="s"/><site site="t"/></spatial></tendon></mujoco>'
    )
    result = written(robot, tmp_path)
    fixed, spatial = parsed(result.text).tendons
    assert (fixed.damping, fixed.path) == (2.0, robot.tendons[0].path)
    assert spatial == robot.tendons[1]
    assert mujoco.MjModel.from_xml_string(result.text).tendon_damping.tolist() == [2.0, 2.0]


@pytest.mark.parametrize("law", _LAWS.values(), ids=_LAWS.keys())
def test_an_actuator_comes_back_with_its_law(law: str, tmp_path: Path) -> None:
    text = (
        '<mujoco><compiler angle="radian"/><worldbody><body name="b"><joint name="j" range="-1 1"/>'
        f'<geom size="1"/></body></worldbody><actuator>{law}</actuator></mujoco>'
    )
    robot = parsed(text)
    result = written(robot, tmp_path)
    (before,), (after,) = (
        compile_model(robot).actuators,
        compile_model(parsed(result.text)).actuators,
    )
    for name in ("gear", "ctrl_range", "force_range", "act_range", "gain", "bias", "dynamics"):
        assert getattr(after, name) == getattr(before, name)
    assert after.dynamics_parameters == before.dynamics_parameters
    one, two = (mujoco.MjModel.from_xml_string(each) for each in (text, result.text))
    for name in ("gainprm", "biasprm", "dynprm", "gaintype", "biastype", "dyntype"):
        values = [getattr(model, f"actuator_{name}") for model in (one, two)]
        np.testing.assert_allclose(values[1], values[0], rtol=1e-12)
    assert result.losses == ()
