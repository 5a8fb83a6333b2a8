"""Checks of a Model: each on a fault that it must find and on what it must leave alone."""

from __future__ import annotations

import math
from typing import Any

import pytest

from phyzctl.geometry.shapes import Sphere
from phyzctl.issues import Issues, Severity, Source
from phyzctl.model import compiler
from phyzctl.model.material import ContactMaterial
from phyzctl.model.model import Model
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import Geom, Inertial, Joint, JointKind, JointLimit, Link, Surface
from phyzctl.robot.mechanism import Keyframe, Option
from tests.model.robots import UNIT, chain, inertial

HINGE = JointKind.REVOLUTE


def model_of(builder: RobotBuilder, **options: Any) -> Model:
    return compiler.compile(builder.build(Issues()), **options)


def found(model: Model) -> list[str]:
    return [issue.code.id for issue in model.validate()]


def clean(**fields: Any) -> RobotBuilder:
    return chain(HINGE, **fields)


def test_a_clean_robot_has_no_issue() -> None:
    model = model_of(clean())
    assert model.validate() == []
    assert model.fatal_issues() == []


@pytest.mark.parametrize(
    ("limit", "codes"),
    [
        (JointLimit(0.5, 1.0), ["K705"]),
        (JointLimit(0.0, 1.0), []),
        (JointLimit(-1.0, 0.0), []),
        (JointLimit(1.0, -1.0), ["J201"]),
    ],
)
def test_limits_that_exclude_zero(limit: JointLimit, codes: list[str]) -> None:
    assert found(model_of(clean(limit=limit))) == codes


@pytest.mark.parametrize(
    ("limit", "ref", "keyframe", "codes"),
    [
        (JointLimit(0.5, 1.0), 0.0, False, ["K704"]),
        (JointLimit(0.5, 1.0), 0.7, False, []),
        (JointLimit(0.5, 1.0), 0.0, True, []),
        (JointLimit(), 5.0, False, []),
    ],
)
def test_a_rest_pose_outside_its_range(
    limit: JointLimit, ref: float, keyframe: bool, codes: list[str]
) -> None:
    kind = HINGE if limit.stated else JointKind.CONTINUOUS
    builder = chain(kind, dialect="mjcf", limit=limit, ref=ref)
    if keyframe:
        builder.keyframe(Keyframe("home", qpos=(0.7,)))
    assert found(model_of(builder, base="fixed")) == codes


@pytest.mark.parametrize("dt", [0.0, -0.001, math.nan, math.inf])
def test_a_time_step_that_time_cannot_advance_by(dt: float) -> None:
    model = model_of(clean())
    model.dt = dt
    assert found(model) == ["M017"]
    source = Source("robot.xml", 3)
    model = model_of(clean().option(Option(timestep=-1.0, source=source)))
    assert [issue.source for issue in model.fatal_issues()] == [source]


IMPOSSIBLE: list[dict[str, Any]] = [
    {"friction": -0.1},
    {"friction": math.nan},
    {"restitution": 1.1},
    {"restitution": -0.1},
    {"restitution": math.nan},
    {"margin": -0.001},
    {"solref": (0.02, -1.0)},
    {"solimp": (1.5, 0.95, 0.001, 0.5, 2.0)},
    {"solimp": (0.9, 0.95, math.nan, 0.5, 2.0)},
    {"solimp": (0.9, 0.95, 0.001, 0.5, 0.5)},
]


@pytest.mark.parametrize("fields", IMPOSSIBLE, ids=str)
def test_a_material_that_no_surface_can_have(fields: dict[str, Any]) -> None:
    model = model_of(clean())
    assert model.set_body_material("l1", ContactMaterial(**fields))
    issues = model.fatal_issues()
    assert [issue.code.id for issue in issues] == ["C922"]
    assert issues[0].subject == "material of body 'l1'"


@pytest.mark.parametrize(
    "fields", [{"friction": 0.0}, {"restitution": 1.0}, {"margin": 0.0}, {"solref": (-9.0, -1.0)}]
)
def test_the_ends_of_what_a_surface_can_have(fields: dict[str, Any]) -> None:
    model = model_of(clean())
    model.set_body_material("l1", ContactMaterial(**fields))
    assert found(model) == []


def test_three_impossible_values_are_three_errors() -> None:
    model = model_of(clean())
    model.set_body_material("l1", ContactMaterial(friction=-1.0, restitution=2.0, margin=-1.0))
    assert len(model.fatal_issues()) == 3


def test_surfaces_of_geoms_are_judged_too() -> None:
    geom = Geom(Sphere(0.1), "ball", surface=Surface(friction=(-1.0,)), source=Source("f", 7))
    issues = model_of(clean().geom("l1", geom)).fatal_issues()
    assert [(issue.code.id, issue.source) for issue in issues] == [("C922", Source("f", 7))]


def test_a_material_on_a_body_that_nothing_can_touch() -> None:
    builder = clean().joint(Joint("tip", JointKind.FIXED, "l1", "tip"))
    model = model_of(builder)
    model.set_body_material("tip", ContactMaterial())
    assert found(model) == ["C912"]
    assert model.fatal_issues() == []


@pytest.mark.parametrize(
    ("friction", "shapes", "codes"), [(1.5, 2, ["C913"]), (1.5, 1, []), (0.7, 2, [])]
)
def test_the_grippiest_of_several_shapes(friction: float, shapes: int, codes: list[str]) -> None:
    builder = clean()
    for number in range(shapes - 1):
        builder.geom("l1", Geom(Sphere(0.1), f"more {number}"))
    model = model_of(builder)
    model.set_body_material("l1", ContactMaterial(friction=friction))
    assert found(model) == codes


def test_only_the_highest_friction_is_grippy() -> None:
    model = model_of(clean().geom("l1", Geom(Sphere(0.1), "more")))
    model.set_body_material("l1", ContactMaterial(friction=1.2))
    model.set_body_material("l0", ContactMaterial(friction=1.5))
    assert found(model) == []


@pytest.mark.parametrize(
    ("fields", "severity"),
    [
        ({"qpos": (0.0, 0.0)}, Severity.ERROR),
        ({"qpos": ()}, Severity.WARNING),
        ({"qvel": ()}, Severity.ERROR),
        ({"ctrl": (1.0,)}, Severity.ERROR),
        ({"mpos": (1.0, 2.0, 3.0)}, Severity.ERROR),
        ({"qpos": (0.0,), "qvel": (0.0,), "ctrl": ()}, None),
    ],
    ids=str,
)
def test_keyframes_of_the_wrong_size(fields: dict[str, Any], severity: Severity | None) -> None:
    builder = chain(HINGE, dialect="mjcf").keyframe(Keyframe("home", **fields))
    issues = model_of(builder, base="fixed").validate()
    expected = [] if severity is None else [("K703", severity)]
    assert [(issue.code.id, issue.severity) for issue in issues] == expected


@pytest.mark.parametrize(
    ("link", "codes"),
    [
        (Link("part", inertial()), []),
        (Link("part", geoms=(Geom(Sphere(0.1)),)), []),
        (Link("part"), ["I103"]),
        (Link("part", geoms=(Geom(Sphere(0.1), mass=0.0),)), ["I103"]),
    ],
)
def test_what_moves_in_mjcf_needs_mass(link: Link, codes: list[str]) -> None:
    builder = RobotBuilder("r", dialect="mjcf").link(Link("world")).link(link)
    builder.joint(Joint("j", JointKind.CONTINUOUS, "world", "part"))
    assert found(model_of(builder)) == codes


def test_a_massless_frame_that_does_not_move_is_no_fault() -> None:
    builder = RobotBuilder("r", dialect="mjcf").link(Link("world"))
    builder.joint(Joint("j", JointKind.FIXED, "world", "frame"))
    assert found(model_of(builder)) == []


def test_a_moving_part_without_mass_in_urdf() -> None:
    builder = clean().joint(Joint("tip", JointKind.CONTINUOUS, "l1", "tip"))
    assert found(model_of(builder)) == ["I103"]


def test_checks_of_the_robot_run_too_and_the_most_serious_come_first() -> None:
    builder = clean(limit=JointLimit(0.5, 1.0))
    builder.inertial("l1", Inertial(-1.0, UNIT))
    issues = model_of(builder).validate()
    assert [issue.code.id for issue in issues][-1] == "K705"
    assert "I107" in {issue.code.id for issue in issues}
    severities = [issue.severity for issue in issues]
    assert severities == sorted(severities, reverse=True)
