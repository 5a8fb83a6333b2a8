"""The view, its report, and what is refused."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import phyzctl
from phyzctl.errors import NotFoundError, PhyzctlError
from phyzctl.geometry.hull import convex_hull
from phyzctl.geometry.shapes import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    MeshShape,
    Plane,
    Shape,
    Sphere,
)
from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import Geom, Joint, JointKind, Link, Mesh
from phyzctl.scene.contact import Contact, RefKind, Report
from phyzctl.scene.environment import CollisionEnv, check
from phyzctl.scene.exclusions import SceneExclusions
from phyzctl.scene.items import AttachedShape, Obstacle, SceneError, SceneShape
from phyzctl.scene.planning import PlanningScene
from phyzctl.spatial import Array, pose
from tests.scene.robots import at, on, random_obstacles, seven_axis_arm, slider_rail, solid

RAIL = slider_rail(3)
HOME = [0.0, 0.0]
BALL = Sphere(0.1)


# The view


def test_empty_has_nothing_and_is_the_default() -> None:
    for env in (CollisionEnv.EMPTY, CollisionEnv()):
        assert len(env.obstacles) == len(env.attached) == len(env.exclusions) == 0
    report = check(RAIL, HOME)
    assert (report.checked, report.contacts) == (1, ())
    assert report.minimum_distance == pytest.approx(1.8)


def test_nothing_is_copied() -> None:
    obstacles, attached = [at(BALL, 9)], [on(BALL, "l1", 5)]
    exclusions = SceneExclusions()
    env = CollisionEnv(obstacles).with_attached(attached).with_exclusions(exclusions)
    assert env.obstacles is obstacles
    assert env.attached is attached
    assert env.exclusions is exclusions
    assert env.check(RAIL, HOME).contacts == ()
    obstacles.append(at(BALL, 5, 0, 1))
    assert len(env.check(RAIL, HOME).contacts) == 1
    attached.clear()
    assert env.check(RAIL, HOME).contacts == ()


def test_a_view_of_a_planning_scene_shows_what_changes() -> None:
    scene = PlanningScene()
    env = scene.collision_env()
    assert env.obstacles is scene.obstacles
    scene.add("ball", at(BALL, 0, 0, 1))
    (contact,) = env.check(RAIL, HOME).contacts
    assert (contact.b.id, contact.b.kind) == ("ball", RefKind.OBSTACLE)
    scene.remove("ball")
    assert env.check(RAIL, HOME).contacts == ()


def test_with_returns_new_views() -> None:
    env = CollisionEnv([at(BALL, 9)])
    laden = env.with_attached([on(BALL, "l1")])
    excluded = laden.with_exclusions(SceneExclusions())
    assert len({id(each) for each in (env, laden, excluded)}) == 3
    assert (len(env.attached), len(laden.attached)) == (0, 1)
    assert env.obstacles is laden.obstacles is excluded.obstacles


def test_one_view_serves_several_robots() -> None:
    env = CollisionEnv([at(BALL, 0, 0, 1)])
    assert len(env.check(RAIL, HOME).contacts) == 1
    assert len(env.check(slider_rail(1), []).contacts) == 0
    assert len(env.check(RAIL, HOME).contacts) == 1


def test_excludes_that_are_set_later_hold() -> None:
    fold = slider_rail(3, radius=1.05)
    assert len(CollisionEnv.EMPTY.check(fold, HOME).contacts) == 1
    fold.contact_exclude = [(0, 2)]
    assert CollisionEnv.EMPTY.check(fold, HOME).contacts == ()


def test_scenes_refuse_ids_that_are_taken_or_unknown() -> None:
    scene = PlanningScene()
    scene.add("a", at(BALL, 0))
    with pytest.raises(SceneError, match="an obstacle 'a' already"):
        scene.add("a", at(BALL, 1))
    with pytest.raises(SceneError, match="must not be empty"):
        scene.add("", at(BALL, 1))
    with pytest.raises(SceneError, match="'b' has no shape"):
        scene.add("b", [])
    with pytest.raises(NotFoundError, match="no obstacle 'aa'; there are: a; did you mean 'a'"):
        scene.remove("aa")


# The report


def test_distance_points_and_normal() -> None:
    (contact,) = CollisionEnv([at(BALL, 0.5, 0, 1)]).check(RAIL, HOME, margin=0.4).contacts
    assert contact.distance == pytest.approx(0.3, abs=1e-12)
    np.testing.assert_allclose(contact.normal, [1, 0, 0], atol=1e-12)
    np.testing.assert_allclose(contact.point_a, [0.1, 0, 1], atol=1e-12)
    np.testing.assert_allclose(contact.point_b, [0.4, 0, 1], atol=1e-12)
    assert contact.allowed_by is None


def test_margin_reports_what_is_nearer() -> None:
    env = CollisionEnv([at(BALL, 0.5, 0, 1)])
    assert env.check(RAIL, HOME, margin=0.299).contacts == ()
    report = env.check(RAIL, HOME, margin=0.301)
    assert len(report.contacts) == 1
    assert not report.collides
    assert env.check(RAIL, [0.35, 0.0]).collides


def test_padding_widens_shapes_and_leaves_distances() -> None:
    env = CollisionEnv([at(BALL, 0.5, 0, 1, padding=0.2)])
    padded = AttachedShape(Sphere(0.05), "l1", pose(xyz=(0, 0, 0.4)), padding=0.15)
    (contact,) = env.check(RAIL, HOME, margin=0.11).contacts
    assert contact.distance == pytest.approx(0.3)
    assert contact.padding == pytest.approx(0.2)
    assert contact.gap == pytest.approx(0.1)
    np.testing.assert_allclose(contact.point_b, [0.4, 0, 1], atol=1e-12)
    laden = env.with_attached([padded])
    found = {str(c.a): c for c in laden.check(RAIL, HOME, margin=0.5).contacts if c.kind == 1}
    expected = math.hypot(0.5, 0.4) - 0.15
    assert found["attached 0"].distance == pytest.approx(expected, abs=1e-12)
    assert found["attached 0"].gap == pytest.approx(expected - 0.35, abs=1e-12)


def test_nearest_is_the_least_gap_with_its_witness() -> None:
    env = CollisionEnv([at(BALL, 0.5, 0, 1), at(BALL, 0.6, 0, 2, padding=0.25)])
    report = env.check(RAIL, HOME)
    assert report.nearest is not None
    assert (report.nearest.a.link, report.nearest.b.index) == ("l2", 1)
    assert report.minimum_distance == pytest.approx(0.4 - 0.25)
    assert CollisionEnv.EMPTY.check(slider_rail(1), []).nearest is None
    assert CollisionEnv.EMPTY.check(slider_rail(1), []).minimum_distance == math.inf


def test_capacity_keeps_the_deepest() -> None:
    balls = [at(BALL, offset, 0, 1) for offset in (0.15, 0.05, 0.1, 0.19)]
    report = Report(capacity=2)
    assert CollisionEnv(balls).check(RAIL, HOME, report) is report
    assert [contact.b.index for contact in report.contacts] == [1, 2]
    assert report.truncated
    CollisionEnv(balls[:2]).check(RAIL, HOME, report)
    assert len(report.contacts) == 2
    assert not report.truncated


def test_a_given_report_is_overwritten_whole() -> None:
    report = CollisionEnv([at(BALL, 0, 0, 1)]).check(RAIL, HOME)
    CollisionEnv.EMPTY.check(RAIL, HOME, report)
    fresh = CollisionEnv.EMPTY.check(RAIL, HOME)
    assert (report.contacts, report.checked, report.skipped) == ((), 1, fresh.skipped)


def test_missing_meshes_are_told() -> None:
    builder = RobotBuilder("hollow").mesh(Mesh("m", uri="gone.stl"))
    builder.link(Link("a", geoms=(Geom(MeshShape("m"), name="skin"),)))
    model = compiler.compile(builder.build(), base="fixed")
    report = CollisionEnv([at(BALL, 0)]).check(model, [])
    assert [(ref.id, why) for ref, why in report.missing] == [("skin", "its file is missing")]
    assert report.checked == 0


# What is refused


@pytest.mark.parametrize(
    ("q", "message"),
    [
        ([0.0], r"q must have shape \(2,\), not \(1,\)"),
        ([[0.0, 0.0]], r"q must have shape \(2,\), not \(1, 2\)"),
        ([0.0, math.inf], "q must be finite"),
        ([math.nan, 0.0], "q must be finite"),
    ],
)
def test_configurations_that_make_no_sense(q: list[float], message: str) -> None:
    with pytest.raises(PhyzctlError, match=message):
        CollisionEnv.EMPTY.check(RAIL, q)


def test_robots_with_numbers_that_are_none() -> None:
    builder = RobotBuilder("nowhere").link(solid("a", Sphere(0.1))).link(solid("b", Sphere(0.1)))
    builder.joint(Joint("j", JointKind.FIXED, "a", "b", xyz=(math.nan, 0.0, 0.0)))
    model = compiler.compile(builder.build(Issues()), base="fixed")
    env = CollisionEnv([at(BALL, 0)])
    for ask in (lambda: env.check(model, []), lambda: env.check_batch(model, np.zeros((1, 0)))):
        with pytest.raises(PhyzctlError, match="numbers that are not finite; `validate` finds"):
            ask()


@pytest.mark.parametrize("margin", [-0.1, math.nan, math.inf])
def test_margins_that_make_no_sense(margin: float) -> None:
    with pytest.raises(PhyzctlError, match="margin must be finite and not negative"):
        CollisionEnv.EMPTY.check(RAIL, HOME, margin=margin)


WRONG_SHAPES: list[Shape] = [
    Sphere(0.0),
    Sphere(None),
    Sphere(math.nan),
    Capsule(0.1, -1.0),
    Cylinder(math.inf, 1.0),
    Box((1.0, 0.0, 1.0)),
    Box(None),
    Ellipsoid((1.0, 1.0, math.nan)),
]


@pytest.mark.parametrize("shape", WRONG_SHAPES, ids=str)
def test_shapes_that_make_no_sense(shape: SceneShape) -> None:
    with pytest.raises(SceneError, match="sizes must be finite and above 0"):
        Obstacle(shape)
    with pytest.raises(SceneError, match="sizes must be finite and above 0"):
        AttachedShape(shape)


def test_poses_and_paddings_that_make_no_sense() -> None:
    mirrored = np.diag([1.0, 1.0, -1.0, 1.0])
    for wrong in (np.full((4, 4), math.nan), np.eye(3), 2.0 * np.eye(4), mirrored):
        with pytest.raises(SceneError, match="pose"):
            Obstacle(BALL, wrong)
    with pytest.raises(SceneError, match="padding"):
        AttachedShape(BALL, padding=-0.1)


def test_a_shape_that_is_none() -> None:
    with pytest.raises(SceneError, match=r"a shape is one of Sphere, .*, ConvexHull, not str"):
        Obstacle("ball")  # type: ignore[arg-type]


# Distances against formulas

TURN = np.array([0.4, -0.3, 0.8, 0.5]) / math.sqrt(0.16 + 0.09 + 0.64 + 0.25)


def gap_to(obstacle: Obstacle, radius: float = 0.1, centre: tuple[float, ...] = (0, 0, 0)) -> float:
    """The distance that a check tells between a ball on a base link and an obstacle."""
    env = CollisionEnv([obstacle]).with_attached([on(Sphere(radius), None, *centre)])
    contacts = env.check(slider_rail(1), [], margin=100.0).contacts
    (contact,) = [each for each in contacts if each.a.kind is RefKind.ATTACHED and each.kind == 1]
    return contact.distance


Point = tuple[float, float, float]
points = st.tuples(*[st.floats(-2, 2) for _ in range(3)])


@settings(max_examples=40)
@given(points)
def test_ball_and_capsule(centre: Point) -> None:
    X = pose(xyz=(0.2, 0.1, -0.3), quat=TURN)
    x, y, z = X[:3, :3].T @ (np.array(centre) - X[:3, 3])
    expected = math.hypot(x, y, max(abs(z) - 0.4, 0.0)) - 0.15 - 0.1
    assert gap_to(Obstacle(Capsule(0.15, 0.8), X), 0.1, centre) == pytest.approx(expected, abs=1e-9)


@settings(max_examples=40)
@given(points)
def test_ball_and_box(centre: Point) -> None:
    X = pose(xyz=(0.2, 0.1, -0.3), quat=TURN)
    over = np.abs(X[:3, :3].T @ (np.array(centre) - X[:3, 3])) - np.array([0.3, 0.4, 0.5])
    outside = float(np.linalg.norm(np.maximum(over, 0.0)))
    expected = (outside if outside > 0.0 else float(over.max())) - 0.1
    shape = Box((0.6, 0.8, 1.0))
    assert gap_to(Obstacle(shape, X), 0.1, centre) == pytest.approx(expected, abs=1e-9)


@settings(max_examples=40)
@given(points)
def test_ball_and_half_space(centre: Point) -> None:
    X = pose(xyz=(0.2, 0.1, -0.3), quat=TURN)
    expected = float((X[:3, :3].T @ (np.array(centre) - X[:3, 3]))[2]) - 0.1
    assert gap_to(Obstacle(Plane(), X), 0.1, centre) == pytest.approx(expected, abs=1e-9)


@settings(max_examples=40)
@given(points)
def test_ball_and_hull_of_a_box(centre: Point) -> None:
    corners = np.array([[x, y, z] for x in (-0.3, 0.3) for y in (-0.4, 0.4) for z in (-0.5, 0.5)])
    X = pose(xyz=(0.2, 0.1, -0.3), quat=TURN)
    hull, box = Obstacle(convex_hull(corners), X), Obstacle(Box((0.6, 0.8, 1.0)), X)
    assert gap_to(hull, 0.1, centre) == pytest.approx(gap_to(box, 0.1, centre), abs=1e-9)


def test_balls() -> None:
    for centre in pairwise([(0.3, 0.4, 1.2), (1.0, -2.0, 0.1), (0.0, 0.0, 0.25)]):
        expected = math.dist(*centre) - 0.1 - 0.2
        found = gap_to(at(Sphere(0.2), *centre[0]), 0.1, centre[1])
        assert found == pytest.approx(expected, abs=1e-12)


# Invariants

ARM = seven_axis_arm()
Q = st.lists(st.floats(-2.8, 2.8), min_size=7, max_size=7)


@settings(max_examples=30)
@given(Q, st.integers(0, 1000))
def test_never_nan_and_consistent(q: list[float], seed: int) -> None:
    env = CollisionEnv(random_obstacles(np.random.default_rng(seed), 12, spread=0.8))
    report = env.check(ARM, q, margin=10.0, show_allowed=True)
    assert report.checked + sum(report.skipped.values()) == len(report.contacts)
    assert min(c.gap for c in report.contacts if c.allowed_by is None) == report.minimum_distance
    for contact in report.contacts:
        values = [contact.distance, *contact.point_a, *contact.point_b, *contact.normal]
        assert np.isfinite(values).all()
        assert np.linalg.norm(contact.normal) == pytest.approx(1.0, abs=1e-9)
        there = contact.point_a + contact.distance * contact.normal
        np.testing.assert_allclose(contact.point_b, there, atol=1e-9)


SOLIDS: list[SceneShape] = [
    Sphere(0.2),
    Capsule(0.1, 0.4),
    Cylinder(0.2, 0.3),
    Box((0.3, 0.4, 0.5)),
    Ellipsoid((0.3, 0.2, 0.1)),
    convex_hull(np.random.default_rng(3).normal(size=(20, 3)) * 0.2),
]


def between(a: SceneShape, X_A: Array, b: SceneShape, X_B: Array) -> Contact:
    env = CollisionEnv([Obstacle(b, X_B)]).with_attached([AttachedShape(a, None, X_A)])
    contacts = env.check(slider_rail(1), [], margin=100.0).contacts
    return next(each for each in contacts if each.a.kind is RefKind.ATTACHED and each.kind == 1)


@pytest.mark.parametrize("first", range(len(SOLIDS)))
@pytest.mark.parametrize("second", range(len(SOLIDS)))
def test_symmetric_under_swapping(first: int, second: int) -> None:
    rng = np.random.default_rng(10 * first + second)
    for _ in range(5):
        turns = rng.normal(size=(2, 4))
        X_A, X_B = (
            pose(xyz=rng.uniform(-0.4, 0.4, 3), quat=turn / np.linalg.norm(turn)) for turn in turns
        )
        one = between(SOLIDS[first], X_A, SOLIDS[second], X_B)
        other = between(SOLIDS[second], X_B, SOLIDS[first], X_A)
        assert one.distance == pytest.approx(other.distance, abs=1e-9)
        if one.distance > 1e-6:
            np.testing.assert_allclose(one.normal, -other.normal, atol=1e-6)


def test_the_public_names() -> None:
    assert phyzctl.CollisionEnv is CollisionEnv
    assert phyzctl.PlanningScene is PlanningScene
    assert phyzctl.AttachedShape is AttachedShape
    assert phyzctl.SceneExclusions is SceneExclusions
    assert phyzctl.check is check
