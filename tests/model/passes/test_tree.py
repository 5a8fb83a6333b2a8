"""The tree: order, base, joint types, planar joints, series, limits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from phyzctl.errors import PhyzctlError
from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.model.joint import INFINITY, JointType
from phyzctl.model.model import Model
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import (
    Dynamics,
    Inertial,
    Joint,
    JointKind,
    JointLimit,
    Link,
    Mimic,
)
from tests.model.robots import WIDE, chain, chain_model, compiled, inertial, world_robot

SIZES = {
    JointKind.FIXED: (0, 0),
    JointKind.REVOLUTE: (1, 1),
    JointKind.CONTINUOUS: (1, 1),
    JointKind.PRISMATIC: (1, 1),
    JointKind.SPHERICAL: (4, 3),
    JointKind.FLOATING: (7, 6),
    JointKind.PLANAR: (3, 3),
}


@pytest.mark.parametrize(("kind", "sizes"), SIZES.items(), ids=str)
def test_each_kind_of_joint_has_its_dimensions(kind: JointKind, sizes: tuple[int, int]) -> None:
    model = chain_model(kind, base="fixed")
    assert (model.nq, model.nv) == sizes


@given(st.lists(st.sampled_from(list(JointKind)), max_size=6))
def test_offsets_are_prefix_sums_and_slices_partition_the_vectors(kinds: list[JointKind]) -> None:
    model = chain_model(*kinds, base="floating")
    assert model.nq == 7 + sum(SIZES[kind][0] for kind in kinds)
    assert model.nv == 6 + sum(SIZES[kind][1] for kind in kinds)
    q = [place for joint in range(len(model.joints)) for place in _places(model, joint, "q")]
    v = [place for joint in range(len(model.joints)) for place in _places(model, joint, "v")]
    assert q == list(range(model.nq))
    assert v == list(range(model.nv))


def _places(model: Model, joint: int, vector: str) -> range:
    if vector == "q":
        return range(*model.q_slice(joint).indices(model.nq))
    return range(*model.v_slice(joint).indices(model.nv))


def test_a_fixed_joint_has_an_empty_slice_where_the_next_joint_starts() -> None:
    model = chain_model(JointKind.FIXED, JointKind.REVOLUTE, base="fixed")
    assert model.q_slice("j1") == slice(0, 0)
    assert model.v_slice("j1") == slice(0, 0)
    assert model.v_slice("j2") == slice(0, 1)


def test_bodies_stand_depth_first_with_siblings_as_authored() -> None:
    builder = RobotBuilder("tree").link(Link("root", inertial()))
    for child, parent in (("b", "root"), ("bb", "b"), ("a", "root"), ("ba", "b"), ("aa", "a")):
        builder.joint(Joint(f"to_{child}", JointKind.CONTINUOUS, parent, child))
    model = compiler.compile(builder.build(), base="fixed")
    assert [body.name for body in model.bodies] == ["root", "b", "bb", "ba", "a", "aa"]
    assert [body.parent for body in model.bodies] == [-1, 0, 1, 1, 0, 4]
    assert [joint.name for joint in model.joints[1:]] == ["to_b", "to_bb", "to_ba", "to_a", "to_aa"]
    assert [body.joints for body in model.bodies] == [(i,) for i in range(6)]


@pytest.mark.parametrize(
    ("root", "expected"),
    [
        (Link("base_link", inertial()), "floating"),
        (Link("base_link"), "fixed"),
        (Link("base_footprint"), "fixed"),
        (Link("base_link", Inertial(0.0)), "fixed"),
        (Link("base_link", Inertial(None)), "fixed"),
        (Link("world"), "fixed"),
        (Link("world", inertial()), "fixed"),
    ],
)
def test_the_base_is_chosen_by_the_root_link(root: Link, expected: str) -> None:
    builder = RobotBuilder("robot").link(root)
    builder.joint(Joint("joint", JointKind.CONTINUOUS, root.name, "arm"))
    assert compiler.compile(builder.build()).base == expected


def test_a_stated_base_beats_the_choice() -> None:
    heavy, bare = chain(JointKind.REVOLUTE).build(), RobotBuilder("r").link(Link("frame")).build()
    assert compiler.compile(heavy, base="fixed").nv == 1
    floating = compiler.compile(bare, base="floating")
    assert floating.base == "floating"
    assert [joint.type for joint in floating.joints] == [JointType.FREE]


def test_the_base_joint_gets_a_name_that_nothing_has() -> None:
    builder = chain(JointKind.REVOLUTE)
    builder.joint(Joint("l0_base", JointKind.FIXED, "l1", "tool"))
    model = compiler.compile(builder.build())
    assert model.joints[0].name == "l0_base_"
    assert model.joints[0].element is None
    assert model.joint_index("l0_base") == 2


@pytest.mark.parametrize("base", ["auot", "free", ""])
def test_an_unknown_base_is_refused_with_the_choices(base: Any) -> None:
    with pytest.raises(PhyzctlError, match="auto, fixed or floating"):
        chain_model(JointKind.FIXED, base=base)


def test_a_world_cannot_float() -> None:
    with pytest.raises(PhyzctlError, match="root link is the world"):
        compiler.compile(world_robot(JointKind.FIXED).build(), base="floating")


def test_the_world_link_is_no_body_and_its_geoms_are_the_worlds() -> None:
    model = compiler.compile(world_robot(JointKind.FIXED, JointKind.FLOATING).build())
    assert [body.name for body in model.bodies] == ["a", "b"]
    assert [body.parent for body in model.bodies] == [-1, -1]
    assert [geom.name for geom in model.world_geoms] == ["floor"]
    assert [geom.body for geom in model.geoms] == [-1, 0, 1]


def test_a_robot_without_links_compiles_to_an_empty_model() -> None:
    model = compiler.compile(RobotBuilder("nothing").build(Issues()))
    assert (model.nbodies(), model.nq, model.nv, model.base) == (0, 0, 0, "fixed")
    assert model.kinematics(np.zeros((2, 0))).bodies.shape == (2, 0, 4, 4)


def test_a_planar_joint_slides_twice_and_turns_under_its_own_name() -> None:
    model = chain_model(JointKind.PLANAR, base="fixed")
    planar = model.joints[1:]
    assert [joint.name for joint in planar] == ["j1_x", "j1_y", "j1"]
    slides = [JointType.SLIDE, JointType.SLIDE, JointType.HINGE]
    assert [joint.type for joint in planar] == slides
    assert_allclose([joint.axis for joint in planar], np.eye(3), atol=1e-15)
    assert model.q_slice("j1") == slice(2, 3)


@given(st.tuples(*[st.floats(-1.0, 1.0)] * 3).filter(lambda axis: math.hypot(*axis) > 1e-3))
def test_the_axes_of_a_planar_joint_are_right_handed(axis: tuple[float, float, float]) -> None:
    model = compiler.compile(chain(JointKind.PLANAR, axis=axis).build(), base="fixed")
    axes = np.array([joint.axis for joint in model.joints[1:]])
    assert_allclose(axes @ axes.T, np.eye(3), atol=1e-12)
    assert_allclose(np.linalg.det(axes), 1.0, atol=1e-12)
    assert_allclose(axes[2], np.array(axis) / math.hypot(*axis), atol=1e-12)


def test_limits_of_a_planar_joint_are_reported_and_not_used() -> None:
    model, codes = compiled(chain(JointKind.PLANAR, limit=JointLimit(-1.0, 1.0, 5.0, 2.0)))
    assert codes == ["U001"]
    assert not any(joint.limited for joint in model.joints)


def test_axes_get_unit_length() -> None:
    model = compiler.compile(chain(JointKind.CONTINUOUS, axis=(0.0, 2.0, 0.0)).build())
    assert model.joints[1].axis == (0.0, 1.0, 0.0)


@pytest.mark.parametrize("axis", [None, (0.0, 0.0, 0.0), (math.nan, 0.0, 0.0)])
def test_an_axis_that_points_nowhere_does_not_stop_the_compiler(axis: Any) -> None:
    model, _ = compiled(chain(JointKind.CONTINUOUS, axis=axis))
    assert model.joints[1].axis == (0.0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("kind", "limit", "dialect", "expected"),
    [
        (JointKind.REVOLUTE, JointLimit(-1.0, 2.0), "urdf", (-1.0, 2.0)),
        (JointKind.REVOLUTE, JointLimit(upper=2.0), "urdf", (0.0, 2.0)),
        (JointKind.REVOLUTE, JointLimit(), "urdf", (0.0, 0.0)),
        (JointKind.PRISMATIC, JointLimit(), None, (0.0, 0.0)),
        (JointKind.PRISMATIC, JointLimit(), "mjcf", (-INFINITY, INFINITY)),
        (JointKind.CONTINUOUS, JointLimit(-1.0, 2.0), "urdf", (-INFINITY, INFINITY)),
        (JointKind.REVOLUTE, JointLimit(1.0, -1.0), "urdf", (1.0, -1.0)),
    ],
)
def test_limits_follow_the_dialect(
    kind: JointKind, limit: JointLimit, dialect: str | None, expected: tuple[float, float]
) -> None:
    model, _ = compiled(chain(kind, dialect=dialect, limit=limit))
    assert model.joints[1].range == expected


def test_effort_bounds_forces_and_none_is_unlimited() -> None:
    limit = JointLimit(-1.0, 1.0, effort=7.0, velocity=2.0)
    joint = compiler.compile(chain(JointKind.REVOLUTE, limit=limit).build()).joints[1]
    assert (joint.force_range, joint.velocity) == ((-7.0, 7.0), 2.0)
    joint = compiler.compile(chain(JointKind.REVOLUTE, limit=WIDE).build()).joints[1]
    assert (joint.force_range, joint.velocity) == ((-INFINITY, INFINITY), INFINITY)
    joint = compiler.compile(
        chain(JointKind.REVOLUTE, actuator_force_range=(-1.0, 2.0)).build()
    ).joints[1]
    assert joint.force_range == (-1.0, 2.0)


def test_passive_parameters_are_taken_over_and_none_is_zero() -> None:
    dynamics = Dynamics(0.7, 0.4, armature=0.1, stiffness=5.0, springref=0.2)
    joint = compiler.compile(chain(JointKind.CONTINUOUS, dynamics=dynamics).build()).joints[1]
    passive = (joint.damping, joint.friction, joint.armature, joint.stiffness, joint.springref)
    assert passive == (0.7, 0.4, 0.1, 5.0, 0.2)
    joint = compiler.compile(chain(JointKind.CONTINUOUS).build()).joints[1]
    assert (joint.damping, joint.friction, joint.armature) == (0.0, 0.0, 0.0)


def test_a_mimic_joint_keeps_its_dof_and_knows_its_leader() -> None:
    builder = chain(JointKind.REVOLUTE)
    mimic = Mimic("j1", -2.0, 0.5)
    builder.joint(Joint("follower", JointKind.REVOLUTE, "l0", "f", limit=WIDE, mimic=mimic))
    model = compiler.compile(builder.build(), base="fixed")
    assert model.nv == 2
    follower = model.joints[2].mimic
    assert follower is not None
    assert (follower.joint, follower.multiplier, follower.offset) == (1, -2.0, 0.5)


def test_a_leader_that_is_stated_later_is_found() -> None:
    builder = RobotBuilder("r").link(Link("base"))
    builder.joint(Joint("a", JointKind.CONTINUOUS, "base", "la", mimic=Mimic("b")))
    builder.joint(Joint("b", JointKind.CONTINUOUS, "base", "lb"))
    mimic = compiler.compile(builder.build()).joints[1].mimic
    assert mimic is not None
    assert mimic.joint == 2


def test_joints_in_series_belong_to_one_body() -> None:
    builder = RobotBuilder("r").link(Link("base"))
    builder.joint(Joint("x", JointKind.PRISMATIC, "base", "car", axis=(1.0, 0.0, 0.0), limit=WIDE))
    builder.joint(Joint("turn", JointKind.CONTINUOUS, "base", "car"))
    model = compiler.compile(builder.build())
    assert model.bodies[1].joints == (1, 2)
    X_WB = model.kinematics([2.0, math.pi / 2]).bodies[1]
    quarter = [[0, -1, 0, 2], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    assert_allclose(X_WB, quarter, atol=1e-15)


def test_poses_of_later_joints_in_series_carry_the_earlier_joints() -> None:
    """The same chain written with a body between: base -> middle -> end."""
    first: dict[str, Any] = {
        "xyz": (0.1, 0.2, 0.3),
        "rpy": (0.3, -0.4, 0.5),
        "axis": (1.0, 2.0, 3.0),
    }
    second: dict[str, Any] = {
        "xyz": (-0.3, 0.1, 0.4),
        "rpy": (1.0, 0.2, -0.7),
        "axis": (3.0, 0.0, 1.0),
    }
    turn = JointKind.CONTINUOUS
    series = RobotBuilder("series").link(Link("base"))
    series.joint(Joint("a", turn, "base", "end", **first, anchor=(0.0, 0.0, 0.0)))
    series.joint(Joint("b", turn, "base", "end", **second))
    split = RobotBuilder("split").link(Link("base"))
    split.joint(Joint("a", turn, "base", "middle", **first))
    split.joint(Joint("b", turn, "middle", "end", **second))
    q = [0.7, -1.1]
    expected = compiler.compile(split.build()).kinematics(q).bodies[-1]
    assert_allclose(compiler.compile(series.build()).kinematics(q).bodies[-1], expected, atol=1e-14)


def test_thousands_of_links_in_a_row_are_compiled_without_recursion() -> None:
    builder = RobotBuilder("long").link(Link("l0", inertial()))
    count = 3000
    for number in range(count):
        builder.joint(Joint(f"j{number}", JointKind.CONTINUOUS, f"l{number}", f"l{number + 1}"))
    model = compiler.compile(builder.build(), base="fixed")
    assert model.nv == count
    assert model.bodies[-1].parent == count - 1
