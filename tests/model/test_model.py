"""Model: look-ups, setters, kinematics, and what it offers the kernel."""

from __future__ import annotations

import math
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from phyzctl.errors import NotFoundError, PhyzctlError
from phyzctl.issues import Source
from phyzctl.model import compiler
from phyzctl.model.material import ContactMaterial
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import Joint, JointKind, Link
from phyzctl.robot.mechanism import Equality, EqualityKind, Keyframe, Option, Tendon
from tests.model.robots import chain, chain_model, world_robot

TURN = JointKind.CONTINUOUS


def test_look_ups_give_an_index_or_none() -> None:
    model = chain_model(TURN, base="fixed")
    assert (model.body_index("l1"), model.body_index("nobody")) == (1, None)
    assert (model.joint_index("j1"), model.joint_index("nothing")) == (1, None)


def test_slices_refuse_what_is_no_joint() -> None:
    model = chain_model(TURN)
    with pytest.raises(NotFoundError, match="did you mean 'j1'"):
        model.q_slice("j11")
    with pytest.raises(NotFoundError, match="the model has 2 joints"):
        model.v_slice(2)


def test_counts() -> None:
    builder = chain(TURN, dialect="mjcf").keyframe(Keyframe("home", qpos=(0.0,)))
    builder.tendon(Tendon("t", spatial=True)).equality(Equality(EqualityKind.JOINT, "j1"))
    model = compiler.compile(builder.build(), base="fixed")
    assert (model.nbodies(), model.nu(), model.ngeom) == (2, 0, 2)
    assert (model.neq, model.ntendon, model.nkey) == (1, 1, 1)


@pytest.mark.parametrize(("dialect", "dt"), [(None, 0.001), ("urdf", 0.001), ("mjcf", 0.002)])
def test_gravity_and_step_have_defaults(dialect: str | None, dt: float) -> None:
    model = compiler.compile(chain(TURN, dialect=dialect).build())
    assert model.gravity.tolist() == [0.0, 0.0, -9.81]
    assert model.dt == dt
    assert model.contact_rules == ("mujoco" if dialect == "mjcf" else "phyzctl")


def test_gravity_and_step_as_written() -> None:
    builder = chain(TURN).option(Option(timestep=0.005, gravity=(1.0, 2.0, 3.0)))
    model = compiler.compile(builder.build())
    assert (model.dt, model.gravity.tolist()) == (0.005, [1.0, 2.0, 3.0])


def test_gravity_is_read_only_but_can_be_set() -> None:
    model = chain_model(TURN)
    with pytest.raises(ValueError, match="read-only"):
        model.gravity[2] = 0.0
    model.gravity = (0.0, 0.0, -1.62)
    assert model.gravity.tolist() == [0.0, 0.0, -1.62]
    with pytest.raises(PhyzctlError, match="three components"):
        model.gravity = (0.0, 0.0)


def test_setters_drop_the_native_system_and_it_is_made_again() -> None:
    model = chain_model(TURN)
    first = model.system
    assert model.system is first
    model.dt = 0.01
    second = model.system
    assert second is not first
    model.set_body_material("l1", ContactMaterial())
    assert model.system is not second


def test_an_exclude_that_names_no_body_is_refused() -> None:
    with pytest.raises(PhyzctlError, match="indices go from -1 to 1"):
        chain_model(TURN).contact_exclude = [(0, 2)]


def test_a_body_material_is_set_by_name() -> None:
    model = chain_model(TURN)
    ice, scene = ContactMaterial(friction=0.01), ContactMaterial(friction=0.8)
    assert not model.set_body_material("nobody", ice)
    assert model.set_body_material("l1", ice)
    assert model.bodies[1].material is ice
    assert model.contact_materials(scene) == [scene, ice]
    assert model.set_body_material("l1", None)
    assert model.contact_materials(scene) == [scene, scene]


def test_contact_materials_are_never_empty() -> None:
    scene = ContactMaterial()
    model = compiler.compile(RobotBuilder("r").link(Link("world")).build())
    assert model.contact_materials(scene) == [scene]


def test_elements_keep_their_source() -> None:
    place = Source("robot.urdf", 3, 5)
    builder = RobotBuilder("r").link(Link("base", source=place))
    builder.joint(Joint("j", TURN, "base", "arm", source=Source("robot.urdf", 9)))
    model = compiler.compile(builder.build())
    assert model.bodies[0].source == place
    assert model.joints[0].source is None
    assert model.joints[1].source == Source("robot.urdf", 9)


def test_arrays_are_read_only() -> None:
    arrays = chain_model(TURN, JointKind.SPHERICAL).arrays
    for item in fields(arrays):
        assert not getattr(arrays, item.name).flags.writeable, item.name


def test_a_two_link_arm_folds() -> None:
    """Links of 1 m that turn about y: with q1 a quarter turn, the tip is at (1, 0, 1)."""
    builder = RobotBuilder("arm").link(Link("base"))
    y = (0.0, 1.0, 0.0)
    builder.joint(Joint("shoulder", TURN, "base", "upper", xyz=(0.0, 0.0, 1.0), axis=y))
    builder.joint(Joint("elbow", TURN, "upper", "lower", xyz=(0.0, 0.0, 1.0), axis=y))
    model = compiler.compile(builder.build())
    X_WB = model.kinematics(
        np.array([[0.0, 0.0], [math.pi / 2, 0.0], [math.pi / 2, -math.pi / 2]])
    ).bodies
    assert_allclose(X_WB[0, 2, :3, 3], [0.0, 0.0, 2.0])
    assert_allclose(X_WB[1, 2, :3, 3], [1.0, 0.0, 1.0], atol=1e-15)
    assert_allclose(X_WB[2, 2, :3, :3], np.eye(3), atol=1e-15)


def test_a_joint_turns_about_its_anchor_from_its_reference() -> None:
    builder = RobotBuilder("r").link(Link("base"))
    place = Joint("j", TURN, "base", "door", xyz=(1.0, 0, 0), anchor=(-1.0, 0, 0), ref=0.5)
    model = compiler.compile(builder.joint(place).build())
    assert model.default_state().q.tolist() == [0.5]
    X_WB = model.kinematics(np.array([[0.5], [0.5 + math.pi]])).bodies[:, 1]
    assert_allclose(X_WB[0, :3, 3], [1.0, 0.0, 0.0])
    assert_allclose(X_WB[1, :3, 3], [-1.0, 0.0, 0.0], atol=1e-15)


def test_one_configuration_or_many() -> None:
    model = chain_model(TURN, base="fixed")
    assert model.kinematics([0.0]).bodies.shape == (2, 4, 4)
    assert model.kinematics(np.zeros((5, 1))).geoms.shape == (5, 2, 4, 4)
    with pytest.raises(PhyzctlError, match=r"shape \(n, 1\)"):
        model.kinematics([0.0, 0.0])


@given(st.lists(st.sampled_from(list(JointKind)), max_size=5), st.integers(0, 2**32 - 1))
def test_poses_are_rigid_and_geoms_ride_on_bodies(kinds: list[JointKind], seed: int) -> None:
    model = chain_model(*kinds, base="floating")
    q = np.random.default_rng(seed).normal(size=model.nq)
    placed = model.kinematics(q)
    for X in placed.bodies:
        assert_allclose(X[:3, :3] @ X[:3, :3].T, np.eye(3), atol=1e-12)
        assert X[3].tolist() == [0.0, 0.0, 0.0, 1.0]
    for geom, X_WG in zip(model.geoms, placed.geoms, strict=True):
        assert_allclose(X_WG, placed.bodies[geom.body] @ geom.X_BG, atol=1e-12)


def test_world_geoms_stay_where_they_are() -> None:
    model = compiler.compile(world_robot(JointKind.FLOATING).build())
    q = [1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0]
    assert model.kinematics(q).geoms[0].tolist() == np.eye(4).tolist()


def test_the_sign_of_a_written_quaternion_is_kept() -> None:
    builder = RobotBuilder("r", dialect="mjcf").link(Link("world"))
    free = Joint("j", JointKind.FLOATING, "world", "ball", quat=(-2.0, 0.0, 0.0, 0.0))
    model = compiler.compile(builder.joint(free).build())
    assert model.default_state().q.tolist() == [0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0]
