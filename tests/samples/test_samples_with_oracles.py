"""The sample robots, judged by programs that are not ours: MuJoCo, Pinocchio and check_urdf.

Nothing here imports phyzctl: these tests say that the samples are right, so that others may
lean on them.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.samples.oracles import SAMPLES, check_urdf, mimic_pairs, twin

ROBOTS = sorted(path.stem for path in SAMPLES.glob("*.urdf"))
FLOATING = {"diff_drive", "humanoid", "quadrotor", "quadruped"}
WITH_KEYFRAMES = {"arm_gripper", "humanoid", "quadrotor", "quadruped", "six_axis_arm"}
each_robot = pytest.mark.parametrize("name", ROBOTS)


def test_every_urdf_has_an_mjcf_twin() -> None:
    assert len(ROBOTS) == 10
    assert sorted(path.stem for path in SAMPLES.glob("*.xml")) == ROBOTS


@each_robot
def test_check_urdf_accepts(name: str) -> None:
    result = check_urdf(SAMPLES / f"{name}.urdf")
    assert result.returncode == 0
    assert "Successfully Parsed XML" in result.stdout
    assert "Error" not in result.stdout + result.stderr
    assert "Warning" not in result.stdout + result.stderr


@each_robot
def test_ros_launch_would_not_take_it_for_yaml(name: str) -> None:
    text = (SAMPLES / f"{name}.urdf").read_text("utf-8")
    for mark in (": ", ":\n", " #", "\t"):
        assert mark not in text


@each_robot
def test_twins_have_the_same_bodies_in_the_same_order(name: str) -> None:
    pair = twin(name)
    assert pair.urdf_links() == pair.mjcf_bodies()
    assert pair.urdf_joints() == pair.mjcf_joints()
    assert pair.urdf_geoms() == pair.mjcf_geoms()


@each_robot
def test_twins_weigh_the_same(name: str) -> None:
    pair = twin(name)
    for body in pair.mjcf_bodies():
        ours, theirs = pair.mjcf_inertia(body), pair.urdf_inertia(body)
        assert ours[0] == theirs[0]
        for quantity, other in zip(ours, theirs, strict=True) if ours[0] else []:
            np.testing.assert_allclose(quantity, other, rtol=1e-9, atol=1e-12, err_msg=body)


@each_robot
def test_rigid_groups_weigh_what_pinocchio_says(name: str) -> None:
    pair = twin(name)
    pair.reset()
    groups = list(pair.rigid_groups())
    assert len(groups) == pair.pin.njoints - 1
    for body, ours, theirs in groups:
        for quantity, other in zip(ours, theirs, strict=True):
            np.testing.assert_allclose(quantity, other, rtol=1e-9, atol=1e-12, err_msg=body)


@each_robot
def test_twins_move_alike(name: str) -> None:
    pair = twin(name)
    rng = np.random.default_rng(7)
    for _ in range(20):
        pair.set_configuration(rng)
        for body in pair.mjcf_bodies():
            np.testing.assert_allclose(pair.mjcf_pose(body), pair.urdf_pose(body), atol=1e-9)
        for geom in pair.mjcf_geoms():
            np.testing.assert_allclose(
                pair.mjcf_geom_pose(geom), pair.urdf_geom_pose(geom), atol=1e-9, err_msg=geom
            )


@each_robot
def test_twins_have_shapes_of_the_same_size(name: str) -> None:
    pair = twin(name)
    for geom in pair.mjcf_geoms():
        np.testing.assert_allclose(pair.mjcf_size(geom), pair.urdf_size(geom), atol=1e-12)


@each_robot
def test_twins_agree_on_ranges_and_losses(name: str) -> None:
    pair = twin(name)
    for joint in pair.mjcf_joints():
        assert pair.mjcf_limits(joint) == pytest.approx(pair.urdf_limits(joint), abs=1e-9), joint


@each_robot
def test_mimic_joints_and_equalities_say_the_same(name: str) -> None:
    pair = twin(name)
    model = pair.mj
    equalities = {}
    for index in range(model.neq):
        follower, leader = model.eq_obj1id[index], model.eq_obj2id[index]
        data = model.eq_data[index]
        assert not data[2:5].any()
        equalities[model.joint(follower).name] = (model.joint(leader).name, data[1], data[0])
    assert equalities == mimic_pairs(SAMPLES / f"{name}.urdf")


@each_robot
def test_only_robots_meant_to_float_do(name: str) -> None:
    model = twin(name).mj
    assert (model.jnt_type == 0).sum() == (1 if name in FLOATING else 0)
    assert ("world" in twin(name).urdf_roots()) == (name not in FLOATING)


@each_robot
def test_nothing_touches_at_rest(name: str) -> None:
    pair = twin(name)
    pair.reset()
    assert pair.mj.nexclude == 0
    assert pair.data.ncon == 0, pair.touching()
    assert (pair.mj.geom_contype > 0).sum() * 2 == pair.mj.ngeom


@each_robot
def test_keyframes_are_within_range_and_free_of_contact(name: str) -> None:
    pair = twin(name)
    model = pair.mj
    assert (model.nkey > 0) == (name in WITH_KEYFRAMES)
    for key in range(model.nkey):
        pair.reset(key)
        assert pair.data.ncon == 0, pair.touching()
        for joint in np.flatnonzero(model.jnt_limited):
            low, high = model.jnt_range[joint]
            assert low <= pair.data.qpos[model.jnt_qposadr[joint]] <= high
        low, high = model.actuator_ctrlrange.T
        assert (low <= pair.data.ctrl).all()
        assert (pair.data.ctrl <= high).all()


@each_robot
def test_a_second_without_control_stays_calm(name: str) -> None:
    pair = twin(name)
    pair.reset()
    pair.step(round(1 / pair.mj.opt.timestep))
    assert pair.data.time == pytest.approx(1)
    assert np.isfinite(pair.data.qpos).all()
    assert np.isfinite(pair.data.qvel).all()
    assert pair.warnings() == 0
    assert np.abs(pair.data.qvel).max() < 30


@each_robot
def test_inertias_are_those_of_the_shapes(name: str) -> None:
    pair = twin(name)
    for body, (mass, com, tensor) in pair.inertias_from_shapes().items():
        stated_mass, stated_com, stated = pair.mjcf_inertia(body)
        assert 60 < stated_mass / (mass / 1000) < 9000, "density of a real material"
        np.testing.assert_allclose(stated_com, com, atol=1e-7)
        scale = np.abs(stated).max()
        np.testing.assert_allclose(stated, tensor * stated_mass / mass, atol=1e-6 * scale)


@each_robot
def test_left_and_right_are_mirror_images(name: str) -> None:
    pair = twin(name)
    pair.reset()
    mirror = np.diag([1.0, -1.0, 1.0])
    lefts = [body for body in pair.mjcf_bodies() if "left" in body]
    assert bool(lefts) == (name in FLOATING | {"arm_gripper"})
    for left in lefts if name in FLOATING else []:
        mass, com, tensor = pair.world_inertia(left)
        other_mass, other_com, other = pair.world_inertia(left.replace("left", "right"))
        assert mass == other_mass
        np.testing.assert_allclose(mirror @ com, other_com, atol=1e-12)
        np.testing.assert_allclose(mirror @ tensor @ mirror, other, atol=1e-12)


def test_the_four_bar_closes() -> None:
    pair = twin("four_bar")
    for angle in np.linspace(-1.2, 1.2, 9):
        pair.reset()
        for joint, sign in (("crank_joint", 1), ("coupler_joint", -1), ("rocker_joint", 1)):
            pair.data.joint(joint).qpos[0] = sign * angle
        pair.forward()
        coupler, rocker = pair.mjcf_pose("coupler"), pair.mjcf_pose("rocker")
        far_end = coupler @ [0.3, 0, 0, 1]
        tip = rocker @ [0, 0.03, 0.2, 1]
        np.testing.assert_allclose(far_end, tip, atol=1e-12)


def test_the_quadrotor_hovers() -> None:
    pair = twin("quadrotor")
    pair.reset(0)
    assert np.abs(pair.data.qacc[:6]).max() < 1e-6


@pytest.mark.parametrize(("name", "key"), [("quadruped", 0), ("humanoid", 0), ("humanoid", 1)])
def test_feet_stand_near_the_floor(name: str, key: int) -> None:
    pair = twin(name)
    pair.reset(key)
    assert -0.005 < pair.lowest_point() < 0.03


def test_check_urdf_is_called_with_a_time_limit(tmp_path: Path) -> None:
    ring = tmp_path / "ring.urdf"
    joint = '<joint name="j" type="fixed"><parent link="a"/><child link="a"/></joint>'
    ring.write_text(f'<robot name="r"><link name="a"/>{joint}</robot>')
    outcome: Any
    try:
        outcome = check_urdf(ring, seconds=2).returncode
    except subprocess.TimeoutExpired:
        outcome = "hangs"
    assert outcome != 0
