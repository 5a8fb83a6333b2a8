"""Names used twice within a kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from phyzctl.geometry.shapes import Sphere
from phyzctl.issues import Issues
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import Geom, Joint, JointKind, Link, Material, Mesh, Site
from phyzctl.robot.mechanism import Actuator, Exclude, Keyframe, Sensor, Tendon


def base(dialect: str | None = None) -> RobotBuilder:
    builder = RobotBuilder("r", dialect=dialect).link(Link("base"))
    return builder.joint(Joint("hinge", JointKind.REVOLUTE, "base", "arm"))


KINDS: dict[str, tuple[Callable[[RobotBuilder, Any], RobotBuilder], Any]] = {
    "materials": (RobotBuilder.material, Material("x")),
    "meshes": (RobotBuilder.mesh, Mesh("x")),
    "actuators": (RobotBuilder.actuator, Actuator("x", "hinge")),
    "tendons": (RobotBuilder.tendon, Tendon("x", spatial=False)),
    "keyframes": (RobotBuilder.keyframe, Keyframe("x")),
    "sensors": (RobotBuilder.sensor, Sensor("gyro", "x")),
    "excludes": (RobotBuilder.exclude, Exclude("base", "arm", "x")),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_first_keeps_the_name(kind: str) -> None:
    state, item = KINDS[kind]
    issues = Issues()
    robot = state(state(base(), item), item).build(issues)
    assert getattr(robot, kind) == (item,)
    assert [issue.code.id for issue in issues] == ["N301"]


def test_kinds_have_name_spaces_of_their_own() -> None:
    builder = base()
    for state, item in KINDS.values():
        state(builder, item)
    issues = Issues()
    builder.build(issues)
    assert not list(issues)


def test_what_has_no_name_is_never_a_duplicate() -> None:
    builder = base().keyframe(Keyframe()).keyframe(Keyframe())
    assert len(builder.build().keyframes) == 2


@pytest.mark.parametrize(("dialect", "kept"), [("urdf", 2), ("mjcf", 1), (None, 1)])
def test_geoms_share_names_across_links_except_in_urdf(dialect: str | None, kept: int) -> None:
    builder = base(dialect)
    for link in ("base", "arm"):
        builder.geom(link, Geom(Sphere(0.1), name="ball")).site(link, Site("tip"))
    issues = Issues()
    robot = builder.build(issues)
    assert sum(len(link.geoms) for link in robot) == kept
    assert sum(len(link.sites) for link in robot) == kept
    assert len(issues) == 2 * (2 - kept)
