"""The box of variables: limits, turns, followers, balls, and what is held."""

from __future__ import annotations

import numpy as np
import pytest

from phyzctl.exclude.space import Space, space_of
from phyzctl.native import halton
from phyzctl.spatial import Array
from tests.exclude.robots import ball, joint, mjcf, model_of


def space_with(joints: str, rest: str = "", *, inflate: bool = False) -> Space:
    return space_of(model_of(mjcf(f"<body>{joints}{ball()}</body>", rest)), inflate=inflate)


def samples(space: Space, count: int = 512) -> Array:
    return space.positions(space.draw(halton(space.dimensions, range(count))))


@pytest.mark.parametrize(
    ("written", "lower", "upper"),
    [
        (joint("a", range="-0.5 1.5"), -0.5, 1.5),
        (joint("a", "slide", range="0 0.2"), 0.0, 0.2),
        (joint("a"), -np.pi, np.pi),
        (joint("a", range="-9 3"), -3.0 - np.pi, -3.0 + np.pi),
    ],
    ids=["hinge", "slide", "continuous", "more than a turn"],
)
def test_a_joint_has_its_limits_or_one_turn(written: str, lower: float, upper: float) -> None:
    space = space_with(written)
    assert space.lower == pytest.approx([lower])
    assert space.upper == pytest.approx([upper])
    q = samples(space)[:, 0]
    assert lower <= q.min() < lower + 0.01 * (upper - lower)
    assert upper - 0.01 * (upper - lower) < q.max() <= upper


def test_limits_can_give() -> None:
    both = joint("a", range="-1 1") + joint("b", "slide", range="0 0.5")
    space = space_with(both, inflate=True)
    assert space.lower == pytest.approx([-1.02, -0.002])
    assert space.upper == pytest.approx([1.02, 0.502])


def test_what_has_no_bounds_is_held() -> None:
    space = space_with(joint("a", "slide") + joint("b", range="0 1"))
    assert space.dimensions == 1
    assert space.open_ended == {0}
    assert np.all(samples(space)[:, 0] == 0.0)


def test_a_free_body_stays_at_the_reference_pose() -> None:
    model = model_of(mjcf(f'<body pos="1 2 3"><freejoint/>{ball()}</body>'))
    space = space_of(model)
    assert (space.dimensions, set(space.open_ended)) == (0, {0})
    assert samples(space, 2).tolist() == [[1, 2, 3, 1, 0, 0, 0]] * 2


URDF = """<robot name="r"><link name="a"/><link name="b"/><link name="c"/><link name="d"/>
<joint name="lead" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
  <limit lower="-1" upper="2" effort="1" velocity="1"/></joint>
<joint name="mid" type="revolute"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/>
  <limit lower="-9" upper="9" effort="1" velocity="1"/>
  <mimic joint="lead" multiplier="-2" offset="0.5"/></joint>
<joint name="last" type="prismatic"><parent link="c"/><child link="d"/><axis xyz="0 0 1"/>
  <limit lower="0" upper="9" effort="1" velocity="1"/>
  <mimic joint="mid" multiplier="0.1"/></joint></robot>"""


def test_followers_follow_followers() -> None:
    space = space_of(model_of(URDF))
    assert space.dimensions == 1
    q = samples(space)
    assert q[:, 1] == pytest.approx(0.5 - 2.0 * q[:, 0])
    assert q[:, 2] == pytest.approx(0.1 * q[:, 1])


def test_a_passive_joint_holds_its_followers() -> None:
    space = space_of(model_of(URDF), passive={"lead"})
    assert space.dimensions == 0
    assert samples(space, 3) == pytest.approx(np.tile([0.0, 0.5, 0.05], (3, 1)))


def test_a_follower_of_the_unbounded_is_as_unbounded() -> None:
    equality = '<equality><joint joint1="b" joint2="a"/></equality>'
    space = space_with(joint("a", "slide") + joint("b", range="0 1"), equality)
    assert (space.dimensions, set(space.open_ended)) == (0, {0, 1})


@pytest.mark.parametrize(
    ("polycoef", "expected"),
    [
        ("0.1 0.5 -0.2 0 0.3", lambda x: 0.1 + 0.5 * x - 0.2 * x**2 + 0.3 * x**4),
        ("0.1", lambda x: 0.1 + x),
    ],
)
def test_joint_equalities_count_from_the_references(polycoef: str, expected: object) -> None:
    assert callable(expected)
    joints = joint("a", range="-1 1", ref="0.25") + joint("b", range="-9 9", ref="-0.5")
    equality = f'<equality><joint joint1="b" joint2="a" polycoef="{polycoef}"/></equality>'
    q = samples(space_with(joints, equality))
    assert q[:, 1] + 0.5 == pytest.approx(expected(q[:, 0] - 0.25))


def test_an_equality_of_one_joint_holds_it() -> None:
    equality = '<equality><joint joint1="a" polycoef="0.3"/></equality>'
    space = space_with(joint("a", range="-1 1", ref="0.5"), equality)
    assert space.dimensions == 0
    assert samples(space, 2) == pytest.approx(np.full((2, 1), 0.8))


def test_an_inactive_equality_holds_nothing() -> None:
    joints = joint("a", range="-1 1") + joint("b", range="-1 1")
    equality = '<equality><joint joint1="b" joint2="a" active="false"/></equality>'
    assert space_with(joints, equality).dimensions == 2


def test_a_leader_of_several_turns_keeps_them() -> None:
    joints = joint("a", range="-9 9") + joint("b", range="-1 1")
    equality = '<equality><joint joint1="b" joint2="a" polycoef="0 0.1"/></equality>'
    assert space_with(joints, equality).upper == pytest.approx([9.0])


def test_a_free_ball_takes_every_rotation_alike() -> None:
    """The mean of R over all rotations is zero; that of R R' entries squared is 1/3."""
    quats = samples(space_with(joint("a", "ball")), 4096)
    assert np.linalg.norm(quats, axis=1) == pytest.approx(1.0)
    w, x, y, z = quats.T
    r00, r21 = 1 - 2 * (y * y + z * z), 2 * (y * z + w * x)
    assert abs(r00.mean()) < 0.02
    assert np.mean(r00**2) == pytest.approx(1 / 3, abs=0.01)
    assert np.mean(r21**2) == pytest.approx(1 / 3, abs=0.01)


def test_a_limited_ball_stays_within_its_angle() -> None:
    space = space_with(joint("a", "ball", range="0 0.7"))
    angle = 2.0 * np.arccos(np.clip(samples(space)[:, 0], -1.0, 1.0))
    assert 0.65 < angle.max() <= 0.7 + 1e-12
    assert space.lower == pytest.approx([-0.7] * 3)


def test_rotation_vectors_are_quaternions() -> None:
    space = space_with(joint("a", "ball"))
    turn = np.array([[0.0, 0.0, np.pi / 2], [0.0, 0.0, 0.0], [np.pi, 0.0, 0.0]])
    half = np.sqrt(0.5)
    expected = [[half, 0, 0, half], [1, 0, 0, 0], [0, 1, 0, 0]]
    assert space.positions(turn) == pytest.approx(np.array(expected), abs=1e-15)
