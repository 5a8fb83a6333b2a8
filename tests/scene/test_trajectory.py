"""Continuous checks: nothing is missed, nothing invented, and when contact begins."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest

from phyzctl import native
from phyzctl.errors import PhyzctlError
from phyzctl.geometry.shapes import Box, Capsule, Plane, Sphere
from phyzctl.model import compiler
from phyzctl.model.model import Model
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import Joint, JointKind, Link
from phyzctl.scene.contact import ContactKind
from phyzctl.scene.environment import CollisionEnv
from phyzctl.scene.exclusions import ExclusionError, SceneExclusions
from phyzctl.scene.items import AttachedShape, Obstacle
from phyzctl.scene.trajectory import between
from phyzctl.spatial import Array, pose
from tests.scene.robots import at, on, random_obstacles, seven_axis_arm, slider_rail, solid

RAIL = slider_rail(2)
BALL = Sphere(0.1)
ARM = seven_axis_arm()


def swing(length: float = 1.0) -> Model:
    """A ball of 10 cm that turns about z at that distance."""
    builder = RobotBuilder("swing").link(solid("root", Sphere(0.01)))
    builder.link(solid("arm", BALL, xyz=(length, 0.0, 0.0)))
    builder.joint(Joint("turn", JointKind.CONTINUOUS, "root", "arm"))
    return compiler.compile(builder.build(), base="fixed")


# Closed forms


def test_a_thin_wall_between_way_points() -> None:
    wall = at(Box((0.001, 2.0, 2.0)), 1.0, 0.0, 1.0)
    env = CollisionEnv([wall])
    q = np.array([[0.0], [2.0]])
    assert not env.check_batch(RAIL, q).collides.any()
    (hit,) = env.check_trajectory(RAIL, q).hits
    expected = (1.0 - 0.0005 - 0.1) / 2.0
    assert hit.time == pytest.approx(expected, abs=1e-7)
    assert (hit.waypoint, hit.fraction) == (0, hit.time)
    assert hit.q == pytest.approx([2.0 * hit.time])
    assert hit.contact.distance == pytest.approx(0.0, abs=2e-7)


@pytest.mark.parametrize("margin", [0.0, 0.05])
def test_a_ball_swings_at_a_post(margin: float) -> None:
    # They touch where the chord between the centres is 0.3 (and the margin).
    env = CollisionEnv([at(Sphere(0.2), 0.0, 1.0)])
    hits = env.check_trajectory(swing(), np.array([[0.0], [3.0]]), margin=margin).hits
    expected = (math.pi / 2 - 2.0 * math.asin((0.3 + margin) / 2.0)) / 3.0
    assert hits[0].time == pytest.approx(expected, abs=1e-6)


def test_a_ball_swings_down_at_a_half_space() -> None:
    ground = Obstacle(Plane(), pose(xyz=(0.0, -0.05, 0.0), rpy=(math.pi / 2, 0.0, 0.0)))
    report = CollisionEnv([ground]).check_trajectory(swing(), np.array([[0.0], [-1.5]]))
    by_link = {hit.contact.a.link: hit.time for hit in report.hits}
    assert by_link["root"] == 0.0  # which stands in it
    assert by_link["arm"] == 0.0
    above = Obstacle(Plane(), pose(xyz=(0.0, -0.5, 0.0), rpy=(-math.pi / 2, 0.0, 0.0)))
    (hit,) = CollisionEnv([above]).check_trajectory(swing(), np.array([[0.0], [-1.5]])).hits
    assert hit.time == pytest.approx(math.asin(0.4) / 1.5, abs=1e-6)


def test_more_than_one_turn_is_not_wrapped() -> None:
    env = CollisionEnv([at(Sphere(0.2), -1.0)])
    assert len(env.check_trajectory(swing(), np.array([[0.0], [2.0 * math.pi]])).hits) == 1
    assert len(env.check_trajectory(swing(), np.array([[2.0 * math.pi], [0.0]])).hits) == 1
    assert env.check_trajectory(swing(), np.array([[-1.0], [1.0]])).hits == ()


def test_contact_at_the_start_hides_nothing() -> None:
    env = CollisionEnv([at(Box((0.5, 0.5, 0.5)), 0.0, 0.0, 1.0), at(BALL, 1.0, 0.0, 1.0)])
    hits = env.check_trajectory(RAIL, np.array([[0.0], [2.0]])).hits
    assert [hit.contact.b.index for hit in hits] == [0, 1]
    assert [hit.time for hit in hits] == pytest.approx([0.0, 0.4], abs=1e-6)


def test_way_points_and_times() -> None:
    env = CollisionEnv([at(BALL, 1.0, 0.0, 1.0), at(BALL, -1.0, 0.0, 1.0)])
    q = np.array([[0.0], [0.5], [1.5], [-1.5]])
    hits = env.check_trajectory(RAIL, q, [2.0, 3.0, 5.0, 8.0]).hits
    assert [(hit.waypoint, hit.contact.b.index) for hit in hits] == [(1, 0), (2, 1)]
    assert hits[0].time == pytest.approx(3.0 + 2.0 * 0.3, abs=1e-6)
    assert hits[1].time == pytest.approx(5.0 + 3.0 * (2.3 / 3.0), abs=1e-6)


def test_contact_at_the_very_end() -> None:
    env = CollisionEnv([at(BALL, 1.0, 0.0, 1.0)])
    (hit,) = env.check_trajectory(RAIL, np.array([[0.0], [0.8]])).hits
    assert hit.time == pytest.approx(1.0, abs=1e-6)
    assert env.check_trajectory(RAIL, np.array([[0.0], [0.799]])).hits == ()


def test_a_single_way_point() -> None:
    env = CollisionEnv([at(BALL, 1.0, 0.0, 1.0)])
    (hit,) = env.check_trajectory(RAIL, np.array([[0.9]]), [7.0]).hits
    assert (hit.time, hit.waypoint, hit.fraction) == (7.0, 0, 0.0)


def test_what_slides_past_at_a_constant_gap_is_soon_told() -> None:
    # A gap of a micrometre all along: sure steps of first order would be 10^6.
    floor = at(Box((9.0, 9.0, 0.2)), 0.0, 0.0, 1.0 - 0.1 - 0.1 - 1e-6)
    assert CollisionEnv([floor]).check_trajectory(RAIL, np.array([[-2.0], [2.0]])).hits == ()


def test_attached_shapes_padding_and_exclusions_count() -> None:
    obstacles = [at(BALL, 1.0, 0.0, 1.5, padding=0.05)]
    held = AttachedShape(BALL, "l1", pose(xyz=(0, 0, 0.5)), "held", 0.02, touch_links=("l1",))
    env = CollisionEnv(obstacles).with_attached([held])
    q = np.array([[0.0], [2.0]])
    (hit,) = env.check_trajectory(RAIL, q).hits
    assert hit.contact.kind is ContactKind.ENVIRONMENT_COLLISION
    assert hit.time == pytest.approx((1.0 - 0.27) / 2.0, abs=1e-6)
    with pytest.raises(ExclusionError):
        env.with_exclusions(SceneExclusions().robot("who", 0)).check_trajectory(RAIL, q)


def test_self_collision_between_two_moving_links() -> None:
    # Both tips come together in the middle; neither touches anything alone.
    builder = RobotBuilder("tongs").link(solid("palm", Sphere(0.01)))
    for side in (-1.0, 1.0):
        name = "left" if side < 0 else "right"
        builder.link(solid(name, Capsule(0.02, 0.4), xyz=(0.0, 0.0, 0.25)))
        builder.joint(
            Joint(f"to {name}", JointKind.CONTINUOUS, "palm", name, (side * 0.2, 0.0, 0.0),
                  axis=(0.0, -side, 0.0))
        )  # fmt: skip
    model = compiler.compile(builder.build(), base="fixed")
    (hit,) = CollisionEnv.EMPTY.check_trajectory(model, np.array([[0.0, 0.0], [1.0, 1.0]])).hits
    # Tips at height h = .05 + .4 = .45: 0.2 - .45 sin a = .02 is the first to touch.
    assert hit.time == pytest.approx(math.asin(0.18 / 0.45), abs=1e-6)
    assert {hit.contact.a.link, hit.contact.b.link} == {"left", "right"}


# Ball and free joints


def flyer() -> Model:
    """A long capsule that floats."""
    builder = RobotBuilder("flyer").link(solid("stick", Capsule(0.05, 1.0)))
    return compiler.compile(builder.build(), base="floating")


def test_free_joints_turn_the_shorter_way() -> None:
    half = math.sqrt(0.5)
    start, end = [0, 0, 0, 1, 0, 0, 0], [0, 0, 0, -half, -half, 0, 0]  # 90 degrees about x
    q = np.array([start, end], dtype=np.float64)
    # The upper end goes towards -y; the lower one towards +y.
    touched, spared = at(BALL, 0, -0.4, 0.4), at(BALL, 0, 0.4, 0.4)
    (hit,) = CollisionEnv([spared, touched]).check_trajectory(flyer(), q).hits
    assert hit.contact.b.index == 1
    # The ball's centre is sqrt(.32) away at 45 degrees, beyond the end of the core at .5: the two
    # touch when that end is .15 from it, by the law of cosines.
    far = math.sqrt(0.32)
    angle = math.pi / 4 - math.acos((far**2 + 0.5**2 - 0.15**2) / (2.0 * far * 0.5))
    assert hit.time == pytest.approx(angle / (math.pi / 2), abs=1e-6)


def random_free_motions(count: int) -> Iterator[Array]:
    rng = np.random.default_rng(12)
    for _ in range(count):
        turns = rng.normal(size=(2, 4))
        turns /= np.linalg.norm(turns, axis=1, keepdims=True)
        yield np.concatenate([rng.uniform(-1.0, 1.0, (2, 3)), turns], axis=1)


def test_free_motions_against_a_fine_subdivision() -> None:
    env = CollisionEnv(random_obstacles(np.random.default_rng(4), 8, spread=0.9))
    hits = sum(compare(env, flyer(), q, 1000) for q in random_free_motions(20))
    assert hits >= 4


def twins() -> Model:
    """Two branches on a base that slides: hinge, slide, ball; and two hinges on one link, slide."""
    builder = RobotBuilder("twins", dialect="mjcf").link(Link("world"))
    branches = {
        "l": (JointKind.CONTINUOUS, JointKind.PRISMATIC, JointKind.SPHERICAL),
        "r": (JointKind.CONTINUOUS, JointKind.SPHERICAL, JointKind.PRISMATIC),
    }
    builder.link(solid("base", Sphere(0.1)))
    builder.joint(Joint("go", JointKind.PRISMATIC, "world", "base", axis=(0.0, 1.0, 0.0)))
    for side, kinds in branches.items():
        parent, reach = "base", 0.4 if side == "l" else -0.4
        for number, kind in enumerate(kinds):
            name = f"{side}{number}"
            builder.link(solid(name, Capsule(0.06, 0.3), xyz=(0.0, 0.0, 0.2)))
            axis = (1.0, 0.0, 0.0) if number == 0 else (0.0, 0.6, 0.8)
            where = (reach if number == 0 else 0.0, 0.0, 0.1 if number == 0 else 0.45)
            anchor = (0.0, 0.05, 0.0)
            builder.joint(Joint(name, kind, parent, name, where, axis=axis, anchor=anchor))
            if name == "r0":
                builder.joint(Joint("r0 too", kind, parent, name, axis=(0.0, 1.0, 0.0)))
            parent = name
    return compiler.compile(builder.build())


def random_way(model: Model, rng: np.random.Generator) -> Array:
    q = rng.uniform(-1.2, 1.2, (2, model.nq))
    for index, joint in enumerate(model.joints):
        if joint.nq == 4:
            place = model.q_slice(index)
            turns = rng.normal(size=(2, 4))
            q[:, place] = turns / np.linalg.norm(turns, axis=1, keepdims=True)
    return q


@pytest.mark.parametrize("seed", range(3))
def test_branches_of_all_kinds_of_joints(seed: int) -> None:
    model, rng = twins(), np.random.default_rng(seed)
    env = CollisionEnv(random_obstacles(rng, 6, spread=0.9)).with_attached(
        [on(BALL, "r2", 0, 0, 0.5)]
    )
    hits = sum(compare(env, model, random_way(model, rng), 1000) for _ in range(8))
    assert hits >= 5


# Random motions


def compare(env: CollisionEnv, model: Model, q: Array, pieces: int) -> int:
    """Hold the first contacts on a way against a subdivision of it; how many there were.

    Pairs whose least distance is within 1e-6 m of zero are left out.
    """
    prepared = env.prepare(model)
    found = native.first_contacts(prepared.system, prepared.shapes, q, prepared.pair_array)
    fractions = np.linspace(0.0, 1.0, pieces + 1)
    way = along(model, q, fractions)
    seen = native.sweep(prepared.system, prepared.shapes, way, prepared.pair_array).first_hit
    for pair, (time, first) in enumerate(zip(found.tolist(), seen.tolist(), strict=True)):
        if first >= 0:
            reached = fractions[first]
            if time < 0.0 or not reached - 1.0 / pieces - 1e-4 <= time <= reached + 1e-4:
                assert depth(env, model, way, pair) < 1e-6, (pair, time, reached)
        elif time >= 0.0:  # refining must confirm it
            near = np.clip(np.linspace(time - 1e-4, time + 2.0 / pieces, 2001), 0.0, 1.0)
            assert closest(env, model, along(model, q, near), pair) < 1e-6, (pair, time)
    return int((found >= 0.0).sum())


def along(model: Model, q: Array, fractions: Array) -> Array:
    """The configurations at fractions of the way, straight where all coordinates are scalars."""
    if all(joint.nq <= 1 for joint in model.joints):
        straight: Array = q[0] + fractions[:, None] * (q[1] - q[0])
        return straight
    return np.array([between(model, q[0], q[1], float(f)) for f in fractions])


def closest(env: CollisionEnv, model: Model, way: Array, pair: int) -> float:
    prepared = env.prepare(model)
    chosen = prepared.pair_array[pair : pair + 1]
    poses = native.kinematics(prepared.system, way).geoms
    return float(native.distances(prepared.shapes, poses, chosen).distance.min())


def depth(env: CollisionEnv, model: Model, way: Array, pair: int) -> float:
    return -closest(env, model, way, pair)


def random_motions(count: int, seed: int) -> Array:
    return np.random.default_rng(seed).uniform(-2.8, 2.8, (count, 2, 7))


@pytest.mark.parametrize("seed", range(6))
def test_random_motions(seed: int) -> None:
    env = CollisionEnv(random_obstacles(np.random.default_rng(seed), 12, spread=0.9))
    env = env.with_attached([on(Box((0.05, 0.05, 0.3)), "l7", 0, 0, 0.3)])
    hits = sum(compare(env, ARM, q, 5000) for q in random_motions(6, seed))
    assert hits >= 5


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_a_thousand_random_motions(seed: int) -> None:
    env = CollisionEnv(random_obstacles(np.random.default_rng(seed), 12, spread=0.9))
    hits = sum(compare(env, ARM, q, 100_000) for q in random_motions(100, 100 + seed))
    assert hits >= 100


def test_margin_is_a_first_contact_of_grown_shapes() -> None:
    obstacles = random_obstacles(np.random.default_rng(8), 10, spread=0.9)
    grown = [Obstacle(each.shape, each.X_WO, 0.07) for each in obstacles]
    for q in random_motions(10, 9):
        hits = [
            {
                (hit.contact.a.index, hit.contact.b.index): hit.time
                for hit in report.hits
                if hit.contact.kind is ContactKind.ENVIRONMENT_COLLISION
            }
            for report in (
                CollisionEnv(obstacles).check_trajectory(ARM, q, margin=0.07),
                CollisionEnv(grown).check_trajectory(ARM, q),
            )
        ]
        assert hits[0] == pytest.approx(hits[1], abs=1e-5)


def test_backwards_finds_the_same_pairs() -> None:
    env = CollisionEnv(random_obstacles(np.random.default_rng(3), 10, spread=0.9))
    for q in random_motions(20, 5):
        there, back = (env.check_trajectory(ARM, way) for way in (q, q[::-1].copy()))
        pairs = [{(h.contact.a, h.contact.b) for h in report.hits} for report in (there, back)]
        assert pairs[0] == pairs[1]


def test_a_stop_on_the_way_changes_nothing() -> None:
    env = CollisionEnv(random_obstacles(np.random.default_rng(3), 10, spread=0.9))
    for q in random_motions(20, 6):
        halved = np.array([q[0], 0.5 * (q[0] + q[1]), q[1]])
        whole, parts = env.check_trajectory(ARM, q), env.check_trajectory(ARM, halved)
        times = [2.0 * hit.time for hit in whole.hits]
        assert [hit.time for hit in parts.hits] == pytest.approx(times, abs=2e-4)


# Reports and misuse


def test_the_report() -> None:
    env = CollisionEnv([at(BALL, 1.0, 0.0, 1.0), at(BALL, 9.0)])
    report = env.check_trajectory(RAIL, np.array([[0.0], [2.0]]))
    assert report.collides
    assert (report.checked, report.waypoints) == (4, 2)
    assert report.nearest is not None
    assert report.nearest.gap == pytest.approx(0.8)
    times = [hit.time for hit in report.hits]
    assert times == sorted(times)


def test_misuse() -> None:
    env = CollisionEnv.EMPTY
    for q, times, message in (
        (np.zeros((0, 1)), None, "at least one way-point"),
        (np.zeros((2, 3)), None, r"shape \(n, 1\)"),
        (np.array([[0.0], [np.nan]]), None, "finite"),
        (np.zeros((2, 1)), [0.0], r"times must have shape \(2,\)"),
        (np.zeros((2, 1)), [1.0, 0.5], "must not go back"),
        (np.zeros((2, 1)), [0.0, np.inf], "finite"),
    ):
        with pytest.raises(PhyzctlError, match=message):
            env.check_trajectory(RAIL, q, times)
