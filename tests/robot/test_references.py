"""Dangling references: reported at the element that makes them, left out, never twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from phyzctl.geometry.shapes import HeightfieldShape, MeshShape
from phyzctl.issues import Issues, Severity
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import (
    Geom,
    Joint,
    JointKind,
    Link,
    Mesh,
    Mimic,
    Site,
    Transmission,
    TransmissionEnd,
)
from phyzctl.robot.mechanism import (
    Actuator,
    ContactPair,
    Equality,
    EqualityKind,
    Exclude,
    Sensor,
    Tendon,
    TendonStep,
    TransmissionKind,
)
from phyzctl.robot.robot import Robot


def base(name: str = "arm") -> RobotBuilder:
    """A hinge with a geom and a site on each side, and a link that a loop condemns."""
    builder = RobotBuilder("r", implicit_links=False)
    for link in ("base", name):
        builder.link(Link(link)).geom(link, Geom(MeshShape("m"), name=f"{link}_geom"))
        builder.site(link, Site(f"{link}_site"))
    builder.mesh(Mesh("m"))
    builder.joint(Joint("hinge", JointKind.REVOLUTE, "base", name))
    builder.link(Link("lost")).joint(Joint("lost_hinge", parent="lost", child="lost"))
    return builder


def built(builder: RobotBuilder) -> tuple[Robot, Issues]:
    issues = Issues()
    robot = builder.build(issues)
    return robot, Issues(issue for issue in issues if issue.code.id != "T402")


def tendon(*steps: TendonStep) -> Tendon:
    return Tendon("t", spatial=False, path=steps)


State = Callable[[RobotBuilder, Any], RobotBuilder]
# The list it lands in, how to state one, one that holds, one that dangles, the code.
KINDS: dict[str, tuple[str, State, Any, Any, str]] = {
    "joint actuator": (
        "actuators",
        RobotBuilder.actuator,
        Actuator("a", "hinge"),
        Actuator("a", "ghost"),
        "A701",
    ),
    "site actuator": (
        "actuators",
        RobotBuilder.actuator,
        Actuator("a", "arm_site", TransmissionKind.SITE, reference_site="base_site"),
        Actuator("a", "arm_site", TransmissionKind.SITE, reference_site="ghost"),
        "A701",
    ),
    "exclude": (
        "excludes",
        RobotBuilder.exclude,
        Exclude("base", "arm"),
        Exclude("base", "ghost"),
        "C920",
    ),
    "pair": (
        "pairs",
        RobotBuilder.pair,
        ContactPair("base_geom", "arm_geom"),
        ContactPair("base_geom", "ghost"),
        "C920",
    ),
    "weld of bodies": (
        "equalities",
        RobotBuilder.equality,
        Equality(EqualityKind.WELD, "base", "arm"),
        Equality(EqualityKind.WELD, "base", "ghost"),
        "N305",
    ),
    "connect of sites": (
        "equalities",
        RobotBuilder.equality,
        Equality(EqualityKind.CONNECT, "base_site", "arm_site", objects="site"),
        Equality(EqualityKind.CONNECT, "base_site", "ghost", objects="site"),
        "N305",
    ),
    "joint equality": (
        "equalities",
        RobotBuilder.equality,
        Equality(EqualityKind.JOINT, "hinge"),
        Equality(EqualityKind.JOINT, "ghost"),
        "N305",
    ),
    "tendon": (
        "tendons",
        RobotBuilder.tendon,
        tendon(TendonStep("joint", "hinge", 1.0), TendonStep("pulley", divisor=2.0)),
        tendon(TendonStep("joint", "ghost", 1.0)),
        "N305",
    ),
    "sensor": (
        "sensors",
        RobotBuilder.sensor,
        Sensor("framepos", object_kind="xbody", object_name="arm"),
        Sensor("jointpos", object_kind="joint", object_name="ghost"),
        "N305",
    ),
}


@pytest.mark.parametrize(("attribute", "state", "good", "bad", "code"), KINDS.values(), ids=KINDS)
def test_one_that_holds_stays_and_one_that_dangles_goes(
    attribute: str, state: State, good: Any, bad: Any, code: str
) -> None:
    robot, issues = built(state(base(), good))
    assert getattr(robot, attribute) == (good,)
    assert not list(issues)
    robot, issues = built(state(base(), bad))
    assert getattr(robot, attribute) == ()
    (issue,) = issues
    assert issue.code.id == code
    assert "'ghost' is not defined" in issue.message


@pytest.mark.parametrize(
    ("state", "item"),
    [
        (RobotBuilder.actuator, Actuator("a", "lost_hinge")),
        (RobotBuilder.exclude, Exclude("base", "lost")),
        (RobotBuilder.equality, Equality(EqualityKind.JOINT, "hinge", "lost_hinge")),
        (RobotBuilder.sensor, Sensor("jointpos", object_kind="joint", object_name="lost_hinge")),
    ],
)
def test_what_names_a_condemned_element_goes_in_silence(state: State, item: Any) -> None:
    robot, issues = built(state(base(), item))
    assert not robot.actuators + robot.excludes + robot.equalities + robot.sensors
    assert not list(issues)


def test_a_tendon_that_goes_takes_its_actuator_along_in_silence() -> None:
    builder = base().tendon(tendon(TendonStep("joint", "ghost", 1.0)))
    builder.actuator(Actuator("a", "t", TransmissionKind.TENDON))
    robot, issues = built(builder)
    assert robot.actuators == ()
    assert [issue.subject for issue in issues] == ["tendon 't'"]


def test_a_transmission_is_kept_with_a_warning() -> None:
    end = TransmissionEnd("hing")
    robot, issues = built(base().transmission(Transmission("t", None, joints=(end,))))
    assert robot.transmissions[0].joints == (end,)
    (issue,) = issues
    assert issue.severity is Severity.WARNING
    assert issue.code.id == "A701"
    assert "did you mean 'hinge'?" in issue.message


@pytest.mark.parametrize("shape", [MeshShape("ghost"), HeightfieldShape("ghost")])
def test_an_unknown_asset_leaves_a_geom_without_shape(shape: Any) -> None:
    robot, issues = built(base().geom("arm", Geom(shape, name="g")))
    assert robot.structure.link("arm").geoms[-1] == Geom(None, name="g")
    assert [(issue.code.id, issue.subject) for issue in issues] == [("N305", "geom 'g'")]


def test_an_unknown_leader_leaves_a_joint_without_mimic() -> None:
    follower = Joint("f", JointKind.REVOLUTE, "arm", "tip", mimic=Mimic("ghost"))
    robot, issues = built(base().link(Link("tip")).joint(follower))
    assert robot.structure.joint("f").mimic is None
    assert [issue.code.id for issue in issues] == ["J220"]
